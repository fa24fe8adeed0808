import { href, useParams } from 'react-router';
import { readOwnMeasurement } from '#contract/certification/inspections.ts';
import { listBrands, type OwnListing, readOwnLaptop } from '#contract/listings/catalogue.ts';
import { brandChoices } from '../../../laptop-form/form-values.ts';
import { LaptopFormSkeleton } from '../../../laptop-form/laptop-form.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { SecondaryLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { EditForm } from './edit-form.tsx';

const reasons = {
  Available: 'It cannot be changed right now.',
  Sold: 'It is sold, so it stays on record as it is.',
  Blocked: 'A lock was found on it. Have the lock released, measure the laptop again, and change it then.',
  'Taken down': 'The shop took it down. My Products shows the reason.',
  Withdrawn: 'You deleted it. Sell it again in My Products first, and change it then.',
} as const;

function NotEditable({ laptop: { name, state } }: { laptop: OwnListing }) {
  return (
    <EmptyState
      title={`${name} cannot be changed`}
      action={<SecondaryLink to={href('/dashboard/myProducts')}>Go to My Products</SecondaryLink>}
    >
      {reasons[state]}
    </EmptyState>
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
      <QueryView query={laptop} what="this laptop" back="myProducts" skeleton={<LaptopFormSkeleton />}>
        {(own) =>
          own.actions.includes('edit') ? (
            <QueryView
              query={brands}
              what="the form"
              errorTitle="We could not load the brands"
              skeleton={<LaptopFormSkeleton />}
            >
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
            <NotEditable laptop={own} />
          )
        }
      </QueryView>
    </>
  );
}
