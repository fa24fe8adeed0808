import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';

interface StaleDataNoticeProps {
  /** A query that has data and whose last refetch failed. */
  query: Pick<UseQueryResult<unknown>, 'refetch'> & { error: Error };
}

/** A notice above cached data whose last refetch failed, with a button to retry. */
export function StaleDataNotice({ query }: StaleDataNoticeProps) {
  return (
    <p role="alert" className="mb-4 flex flex-wrap items-center gap-3 rounded-lg bg-red-soft px-4 py-2">
      This may be out of date. {query.error.message}
      <Button variant="secondary" size="small" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </p>
  );
}
