import type { FastifyBaseLogger } from 'fastify';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import type { Database } from '#server/platform/database/tables.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { Enqueue } from '#server/platform/jobs/queue.ts';
import type { CardProcessor } from './cards.ts';

/** What creating, settling and reconciling payments needs. */
export interface PaymentDependencies {
  database: Database;
  enqueue: Enqueue;
  cards: CardProcessor;
  /** The settings at the moment. */
  shop: () => ShopSettings;
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
  /** Cleared after a sale, so that the buyer's next read shows the laptop as sold. */
  cache: Pick<ResponseCache, 'waitForInvalidation'>;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}
