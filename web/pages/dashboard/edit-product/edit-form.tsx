import { useEffect, useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { href, Link } from 'react-router';
import type { Measurement } from '#contract/certification/inspections.ts';
import { changeLaptop, conditions, type OwnListing } from '#contract/listings/catalogue.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { type FormValues, parsePrice, toFormValues, toListing } from '../../../laptop-form/form-values.ts';
import { LaptopForm, type LaptopFormTexts } from '../../../laptop-form/laptop-form.tsx';
import type { FormMeasurement } from '../../../laptop-form/measured-differences.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';
import { tryStorage } from '../../../ui/browser-storage.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { describePriceChange } from './price-note.ts';

/**
 * The version of the laptop that a draft was typed on: a draft that is restored after a reload must not overwrite what was
 * saved elsewhere in the meantime.
 * @param draftKey names the draft in sessionStorage
 */
function createDraftVersion(draftKey: string, storage: () => Storage) {
  const key = `${draftKey}:version`;
  return {
    /** @returns the version of the stored draft; null without a draft */
    read: (): number | null => {
      const version = tryStorage(() =>
        storage().getItem(draftKey) === null ? null : Number(storage().getItem(key)),
      );
      return version === null || !Number.isSafeInteger(version) || version < 1 ? null : version;
    },
    /** Stores the version on which a draft is typed from now on. */
    save: (version: number): void => void tryStorage(() => storage().setItem(key, String(version))),
    /** Discards the draft and its version. */
    discard: (): void =>
      void tryStorage(() => {
        storage().removeItem(draftKey);
        storage().removeItem(key);
      }),
  };
}

/** Changes a laptop whose photos are uploaded. */
function useChangeLaptop(_id: string) {
  const { mutateAsync } = useWrite(changeLaptop, { done: () => undefined, onError: () => undefined });
  /** @param images the URL of each photo, in display order @param version the one that the form was filled with @throws Problem */
  return async (values: FormValues, images: readonly string[], version: number) => {
    await mutateAsync({ params: { _id }, body: { ...toListing(values, images), version } });
  };
}

const texts: LaptopFormTexts = {
  submit: 'Save changes',
  busy: 'Saving',
  clear: 'Undo my changes',
  participle: 'saved',
  page: 'Edit Product',
  success: (name) => `${name} is changed.`,
};

/** Which bookings there are, what the typed price does to them, and until when a buyer pays. */
function BookingsNote({ control, laptop }: { control: Control<FormValues>; laptop: OwnListing }) {
  const typed = parsePrice(useWatch({ control, name: 'resale_price' }));
  const sentences = describePriceChange(laptop, typeof typed === 'number' ? typed : null);
  if (sentences.length === 0 && laptop.heldUntil === undefined) return null;
  return (
    <Notice tone="info" role="status" className="flex flex-col gap-2">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {laptop.heldUntil !== undefined && (
        <p>
          A buyer is paying for this laptop right now. You can save your changes after{' '}
          <DateTime at={laptop.heldUntil} />, or later if the buyer needs more time.
        </p>
      )}
    </Notice>
  );
}

interface ConflictProps {
  laptop: OwnListing;
  onLoadSaved: () => void;
  onKeepMine: () => void;
}

/** The laptop was changed elsewhere since the form was filled. */
function Conflict({ laptop, onLoadSaved, onKeepMine }: ConflictProps) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-xl border border-primary bg-primary-soft p-5">
      <h2 className="text-lg">This laptop was changed in the meantime</h2>
      <p>
        It was saved elsewhere, perhaps in another tab, since you opened this form. What you typed is kept.{' '}
        <Link to={laptopUrl(laptop)} target="_blank" className="font-semibold underline">
          Open the current listing
        </Link>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onLoadSaved}>
          Load what was saved
        </Button>
        <Button variant="secondary" onClick={onKeepMine}>
          Keep my version
        </Button>
      </div>
    </div>
  );
}

/** The measurement for the form. Of the conditions, only the listed one was compared with the battery. */
function toFormMeasurement(laptop: OwnListing, measurement: Measurement): FormMeasurement {
  const isTooGood = measurement.contradictions.some(({ field }) => field === 'Condition');
  const first = isTooGood ? conditions.indexOf(laptop.condition) + 1 : 0;
  return { ...measurement, conditions: conditions.slice(first) };
}

interface EditFormProps {
  /** As the server has it now. */
  laptop: OwnListing;
  brands: readonly string[];
  /** The latest; null without one. */
  measurement: Measurement | null;
}

/**
 * The form that changes a laptop. It keeps the version that it was filled with while the laptop is refetched.
 */
export function EditForm({ laptop, brands, measurement }: EditFormProps) {
  const { email } = usePerson();
  const draftKey = `coomercioChangedProduct:${email}:${laptop._id}`;
  const [drafts] = useState(() => createDraftVersion(draftKey, () => sessionStorage));
  const [base, setBase] = useState(() => ({ laptop, version: drafts.read() ?? laptop.version }));
  const [loads, setLoads] = useState(0);
  const [isSaved, setSaved] = useState(false);
  const change = useChangeLaptop(laptop._id);
  const { version } = base;
  useEffect(() => drafts.save(version), [drafts, version]);

  return (
    <LaptopForm
      key={loads}
      brands={brands}
      initialValues={toFormValues(base.laptop)}
      draftKey={draftKey}
      texts={texts}
      slip={{ code: laptop.slipCode }}
      sellerVerified={laptop.sellerVerified}
      onSubmit={async (values, images) => {
        await change(values, images, version);
        setSaved(true);
      }}
      nextPage={href('/dashboard/myProducts')}
      measurement={measurement === null ? null : toFormMeasurement(laptop, measurement)}
      fillsEmptyFields={false}
      measuring={
        <p>
          <Link to={href('/dashboard/measure/:id', { id: laptop._id })} className="link font-semibold">
            {measurement === null ? 'Measure this laptop' : 'Measure this laptop again'}
          </Link>{' '}
          so that it reports its own configuration. Your changes here are kept.
        </p>
      }
      renderNote={(control) => (
        <>
          <BookingsNote control={control} laptop={laptop} />
          {version !== laptop.version && !isSaved && (
            <Conflict
              laptop={laptop}
              onLoadSaved={() => {
                drafts.discard();
                setBase({ laptop, version: laptop.version });
                setLoads(loads + 1);
              }}
              onKeepMine={() => setBase({ ...base, version: laptop.version })}
            />
          )}
        </>
      )}
    />
  );
}
