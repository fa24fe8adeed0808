import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';

interface OutOfDateProps {
  /** A query that has data and whose last refetch failed. */
  query: Pick<UseQueryResult<unknown>, 'refetch'> & { error: Error };
}

/** Says above data that its last refetch failed, and offers another. */
export function OutOfDate({ query }: OutOfDateProps) {
  return (
    <p role="alert" className="mb-4 flex flex-wrap items-center gap-3 rounded-lg bg-red-soft px-4 py-2">
      This may be out of date. {query.error.message}
      <Button look="secondary" size="small" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </p>
  );
}
