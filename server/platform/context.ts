import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Database } from './database/tables.ts';
import type { Api } from './http/api.ts';
import type { ResponseCache } from './http/response-cache.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Work } from './jobs/work.ts';

/** What the composition gives to every room. A function names the parts that it uses. */
export interface Context {
  database: Database;
  enqueue: Enqueue;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** The settings at the moment. */
  shop: () => ShopSettings;
  /** Waited for after a change of what responses show, so that the caller's next read shows it. */
  cache: Pick<ResponseCache, 'waitForInvalidation'>;
  /** With which calls of the contract are registered. */
  api: Api;
  /** With which jobs and periodic tasks are declared. */
  work: Work;
}
