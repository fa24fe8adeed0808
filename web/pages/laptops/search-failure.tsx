import { useRevalidator } from 'react-router';
import { Skeletons } from '../../ui/skeletons.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** A failed search: what happened, and a way to try again. */
export default function SearchFailure({ message }: { message: string | null }) {
  const { revalidate, state } = useRevalidator();
  if (state === 'loading') {
    return (
      <Loading what="laptops">
        <Skeletons className="h-40" />
      </Loading>
    );
  }
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
