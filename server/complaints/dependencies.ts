import type { PhotoDependencies, ResponseCache } from '../catalogue/steps.ts';
import type { Database } from '../database/tables.ts';
import type { Enqueue } from '../jobs/queue.ts';

/** What complaints and answers need. */
export interface ComplaintDependencies extends PhotoDependencies {
  database: Database;
  enqueue: Enqueue;
  /** Waited for after a laptop returned, so that its seller's next read shows it. */
  cache: Pick<ResponseCache, 'waitForInvalidation'>;
}
