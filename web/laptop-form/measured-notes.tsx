import type { ConfigurationField } from '#contract/listings/catalogue.ts';
import { DateTime } from '../formats/date-time.tsx';
import { ProblemList } from '../inspections/problem-list.tsx';
import { SmallButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { mayBeFromStick } from './measured-differences.ts';
import type { MeasuredValues } from './use-measured-values.ts';

/** The measured value beside its field, when the field says something else, with a button that takes it. */
export function MeasuredNote({
  field,
  typed,
  measured,
}: {
  field: ConfigurationField;
  typed: string;
  measured: MeasuredValues | null;
}) {
  const difference = measured?.differences.get(field);
  if (measured === null || difference === undefined) return null;
  return (
    <div className="mt-1.5 flex flex-wrap items-center justify-between gap-2">
      <p className={difference.isContradiction ? 'text-danger text-sm' : 'text-muted text-sm'}>
        {difference.isContradiction
          ? `${typed.trim()} said, ${difference.measured} measured`
          : `Measured: ${difference.measured}${mayBeFromStick(field, measured.measurement) ? ', perhaps started from a USB stick' : ''}`}
      </p>
      {difference.text !== null && (
        <SmallButton
          aria-label={`Use the measured value for ${field}: ${difference.text}`}
          onClick={() => {
            measured.take([field]);
            document.getElementsByName(field)[0]?.focus();
          }}
        >
          Use the measured value
        </SmallButton>
      )}
    </div>
  );
}

/** When the laptop was measured, with a button that takes all values. */
export function MeasuredSummary({ measured }: { measured: MeasuredValues | null }) {
  if (measured === null) return null;
  const fields = [...measured.differences.keys()].filter(
    (field) => !mayBeFromStick(field, measured.measurement),
  );
  const toTake = fields.filter((field) => measured.differences.get(field)?.text !== null);
  return (
    <Notice className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <p>
        Measured <DateTime at={measured.measurement.measuredAt} />.{' '}
        {fields.length === 0
          ? 'No field says anything else than what was measured.'
          : `${fields.length === 1 ? '1 field does' : `${fields.length} fields do`} not say what was measured. What you typed is kept until you replace it.`}
      </p>
      {toTake.length > 0 && (
        <SmallButton
          onClick={() => {
            measured.take(toTake);
            document.getElementsByName(toTake[0] ?? '')[0]?.focus();
          }}
        >
          Use all measured values
        </SmallButton>
      )}
    </Notice>
  );
}

/** Beside the submit button: whether buyers will see the laptop as measured, and why not. */
export function MeasuredVerdict({ measured }: { measured: MeasuredValues | null }) {
  if (measured === null) return null;
  if (measured.reasons.length === 0) {
    return <Notice>Buyers will see that this laptop was measured.</Notice>;
  }
  return <ProblemList title="This listing will not be called measured:" items={measured.reasons} />;
}
