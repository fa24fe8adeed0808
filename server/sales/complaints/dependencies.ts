import type { PhotoDependencies } from '#server/listings/photos/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';

/** The dependencies of complaints and answers. */
export interface ComplaintDependencies extends PhotoDependencies {
  database: Database;
  enqueue: Enqueue;
  /** Its invalidation is awaited after a laptop returned, so that its seller's next read shows it. */
  cache: Pick<ResponseCache, 'waitForInvalidation'>;
}
