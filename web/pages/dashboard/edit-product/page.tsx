import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { href, Link, useParams } from 'react-router';
import { type Measurement, readOwnMeasurement } from '#contract/certification/inspections.ts';
import {
  changeLaptop,
  conditions,
  listBrands,
  type OwnListing,
  readOwnLaptop,
} from '#contract/listings/catalogue.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import {
  brandChoices,
  type FormValues,
  parsePrice,
  toFormValues,
  toListing,
} from '../../../laptop-form/form-values.ts';
import { LaptopForm, type LaptopFormTexts } from '../../../laptop-form/laptop-form.tsx';
import type { FormMeasurement } from '../../../laptop-form/measured-differences.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { DRAFTS_KEY } from '../../../session/forget-private-data.ts';
import { usePerson } from '../../../session/session.tsx';
import { SecondaryButton, SecondaryLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ActionLink } from '../../../ui/text-link.tsx';
import { describePriceChange } from './price-note.ts';

const reasons = {
  Available: 'It cannot be changed right now.',
  Sold: 'It is sold, so it stays on record as it is.',
  Blocked: 'A lock was found on it. Have the lock released, measure the laptop again, and change it then.',
  'Taken down': 'The shop took it down. My Products shows the reason.',
  Withdrawn: 'You deleted it. Sell it again in My Products first, and change it then.',
} as const;

const texts: LaptopFormTexts = {
  submit: 'Save changes',
  busy: 'Saving',
  clear: 'Undo my changes',
  participle: 'saved',
  page: 'Edit Product',
  success: (name) => `${name} is changed.`,
};

/** Which bookings there are, what the typed price does to them, and until when a buyer pays. */
function BookingsNote({ laptop }: { laptop: OwnListing }) {
  const typed = parsePrice(useWatch<FormValues, 'resale_price'>({ name: 'resale_price' }));
  const sentences = describePriceChange(laptop, typeof typed === 'number' ? typed : null);
  if (sentences.length === 0 && laptop.paymentWindowEndsAt === undefined) return null;
  return (
    <Notice tone="info" role="status" className="flex flex-col gap-2">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {laptop.paymentWindowEndsAt !== undefined && (
        <p>
          A buyer is paying for this laptop right now. You can save your changes after{' '}
          <DateTime at={laptop.paymentWindowEndsAt} />, or later if the buyer needs more time.
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

/** Says that the laptop was changed elsewhere since the form was filled. */
function Conflict({ laptop, onLoadSaved, onKeepMine }: ConflictProps) {
  if (useWatch<FormValues, 'version'>({ name: 'version' }) === laptop.version) return null;
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
        <SecondaryButton onClick={onLoadSaved}>Load what was saved</SecondaryButton>
        <SecondaryButton onClick={onKeepMine}>Keep my version</SecondaryButton>
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

/** The form that changes a laptop. Its values contain the version that they were filled in on, also those of a draft. */
function EditForm({ laptop, brands, measurement }: EditFormProps) {
  const { email } = usePerson();
  const [isSaved, setSaved] = useState(false);
  const { mutateAsync } = useWrite(changeLaptop, { done: () => undefined, onError: () => undefined });
  return (
    <LaptopForm
      brands={brands}
      initialValues={toFormValues(laptop)}
      draftKey={`${DRAFTS_KEY}${email}:laptop:${laptop._id}`}
      texts={texts}
      slip={{ code: laptop.slipCode }}
      sellerVerified={laptop.sellerVerified}
      onSubmit={async (values, images) => {
        const body = { ...toListing(values, images), version: values.version };
        await mutateAsync({ params: { _id: laptop._id }, body });
        setSaved(true);
      }}
      measurement={measurement === null ? null : toFormMeasurement(laptop, measurement)}
      fillsEmptyFields={false}
      measuring={
        <p>
          <ActionLink to={href('/dashboard/measure/:id', { id: laptop._id })}>
            {measurement === null ? 'Measure this laptop' : 'Measure this laptop again'}
          </ActionLink>{' '}
          so that it reports its own configuration. Your changes here are kept.
        </p>
      }
      renderNote={({ change, clear }) => (
        <>
          <BookingsNote laptop={laptop} />
          {!isSaved && (
            <Conflict
              laptop={laptop}
              onLoadSaved={clear}
              onKeepMine={() => change('version', laptop.version)}
            />
          )}
        </>
      )}
    />
  );
}

export default function EditProduct() {
  const { id = '' } = useParams();
  const laptop = useRead(
    readOwnLaptop,
    { params: { _id: id } },
    {
      refetchOnMount: 'always',
      // The form is filled with these data and must not begin with cached ones.
      gcTime: 0,
    },
  );
  const measured = useRead(readOwnMeasurement, { params: { _id: id } });
  const brands = useRead(listBrands, {});
  return (
    <>
      <PageHeading title="Edit Product">
        Changes are visible at once. Buyers who have booked the laptop are told of a new price.
      </PageHeading>
      <QueryView query={laptop} what="this laptop" back="myProducts" skeleton="h-144 max-w-3xl">
        {(own) =>
          own.actions.includes('edit') ? (
            <QueryView query={brands} what="the brands" skeleton="h-144 max-w-3xl">
              {(all) => (
                <EditForm
                  key={own._id}
                  laptop={own}
                  brands={brandChoices(all, own.category_Id)}
                  measurement={measured.data?.measurement ?? null}
                />
              )}
            </QueryView>
          ) : (
            <EmptyState
              title={`${own.name} cannot be changed`}
              action={<SecondaryLink to={href('/dashboard/myProducts')}>Go to My Products</SecondaryLink>}
            >
              {reasons[own.state]}
            </EmptyState>
          )
        }
      </QueryView>
    </>
  );
}
