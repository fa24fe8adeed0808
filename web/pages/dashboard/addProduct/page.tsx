import { useQuery } from '@tanstack/react-query';
import { listBrands } from '#contract/catalogue.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useApi } from '../../../session/session.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { AddForm } from './add-form.tsx';
import { brandChoices } from './form-values.ts';

export const meta = () => privateMeta('Add Product');

export default function AddProduct() {
  const api = useApi();
  const query = useQuery({
    queryKey: ['brands'],
    queryFn: ({ signal }) => api.call(listBrands, { signal }),
  });
  return (
    <>
      <PageHeading title="Add Product">
        Describe the laptop as it is, and show photos of this very machine.
      </PageHeading>
      <QueryView
        query={query}
        what="the form"
        errorTitle="We could not load the brands"
        skeleton={
          <div className="flex max-w-3xl flex-col gap-5">
            {['name', 'brand', 'prices', 'condition', 'place'].map((field) => (
              <Skeleton key={field} className="h-17" />
            ))}
          </div>
        }
      >
        {(brands) => <AddForm brands={brandChoices(brands)} />}
      </QueryView>
    </>
  );
}
