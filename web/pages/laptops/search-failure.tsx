import { useRevalidator } from 'react-router';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';

function ResultsSkeleton() {
  return (
    <Loading what="laptops">
      <div className="mt-6 grid gap-3 sm:grid-cols-3 sm:gap-5">
        {['first', 'second', 'third'].map((card) => (
          <div key={card} className="flex gap-3 rounded-xl border border-border p-3 sm:flex-col">
            <Skeleton className="aspect-square w-28 sm:aspect-[4/3] sm:w-full" />
            <div className="flex flex-1 flex-col gap-3">
              <Skeleton className="h-6 w-4/5" />
              <Skeleton className="h-7 w-1/2" />
              <Skeleton className="h-5 w-3/5" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}

/** A failed search: what happened, and a way to try again. */
export function SearchFailure({ message }: { message: string | null }) {
  const { revalidate, state } = useRevalidator();
  if (state === 'loading') return <ResultsSkeleton />;
  return (
    <div className="mt-6 flex flex-col gap-4">
      <ErrorState
        title="The laptops could not be searched"
        message={`${message ?? 'Something went wrong.'} Your filters are kept in the address.`}
        onRetry={() => void revalidate()}
      />
      <noscript>
        <TextLink to="" reloadDocument>
          Load the page again
        </TextLink>
      </noscript>
    </div>
  );
}
