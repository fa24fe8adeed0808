import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type UseFormReturn, type UseFormSetValue, useWatch } from 'react-hook-form';
import type { ConfigurationField } from '#contract/listings/catalogue.ts';
import { listOf } from '../formats/list-of.ts';
import type { FormValues } from './form-values.ts';
import {
  conditionProblem,
  type Difference,
  type FormMeasurement,
  findDifferences,
  reasonsAgainstMeasured,
  textsForEmptyFields,
} from './measured-differences.ts';

/** What the form shows of a measurement. */
export interface MeasuredValues {
  measurement: FormMeasurement;
  differences: ReadonlyMap<ConfigurationField, Difference>;
  conditionProblem: string | undefined;
  /** Why the listing would not count as measured. */
  reasons: readonly string[];
  /** What was filled in, for the live region. */
  announcement: string;
  /** Takes the measured value of some fields. */
  take: (fields: readonly ConfigurationField[]) => void;
}

interface Options {
  form: Pick<UseFormReturn<FormValues>, 'control' | 'getValues'>;
  /** Sets a value, also in the draft. */
  change: UseFormSetValue<FormValues>;
  measurement: FormMeasurement | null;
  /** Whether a measurement fills the empty fields when it arrives. */
  fillsEmptyFields: boolean;
}

/** Compares the form with a measurement, and fills the empty fields when one arrives. */
export function useMeasuredValues({
  form,
  change,
  measurement,
  fillsEmptyFields,
}: Options): MeasuredValues | null {
  const values = { ...form.getValues(), ...useWatch({ control: form.control }), photo: [] };
  const filledFor = useRef<string | null>(null);
  const [announcement, setAnnouncement] = useState('');

  function fill(texts: readonly (readonly [ConfigurationField, string])[]) {
    for (const [field, text] of texts) change(field, text, { shouldDirty: true });
  }

  const fillEmptyFields = useEffectEvent((arrived: FormMeasurement) => {
    const texts = textsForEmptyFields(values, arrived);
    fill(texts);
    const others = [...findDifferences({ ...values, ...Object.fromEntries(texts) }, arrived).keys()];
    setAnnouncement(
      [
        'The measurement is here.',
        texts.length > 0 && `Filled in: ${listOf(texts.map(([field]) => field))}.`,
        others.length > 0 && `To compare: ${listOf(others)}.`,
      ]
        .filter(Boolean)
        .join(' '),
    );
  });

  useEffect(() => {
    if (!fillsEmptyFields || measurement === null || filledFor.current === measurement.measuredAt) return;
    filledFor.current = measurement.measuredAt;
    fillEmptyFields(measurement);
  }, [measurement, fillsEmptyFields]);

  if (measurement === null) return null;
  const differences = findDifferences(values, measurement);
  return {
    measurement,
    differences,
    conditionProblem: conditionProblem(values, measurement),
    reasons: reasonsAgainstMeasured(values, measurement),
    announcement,
    take: (fields) => {
      const taken = fields.flatMap((field) => {
        const text = differences.get(field)?.text ?? null;
        return text === null ? [] : [[field, text] as const];
      });
      fill(taken);
      setAnnouncement(taken.map(([field, text]) => `${field} is now ${text}.`).join(' '));
    },
  };
}
