import type { FastifyBaseLogger } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import type { ResponseCache } from '#server/platform/http/response-cache.ts';
import type { CardProcessor } from './cards.ts';

/** What creating, settling and reconciling payments needs. */
export interface PaymentDependencies extends Pick<Context, 'database' | 'enqueue' | 'shop'> {
  cards: CardProcessor;
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
  /** Cleared after a sale, so that the buyer's next read shows the laptop as sold. */
  cache: Pick<ResponseCache, 'waitForInvalidation'>;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}
