import type { FastifyBaseLogger } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import type { CardProcessor } from './card-processor.ts';

/** What is needed to create payments, to apply their results and to reconcile them. */
export interface PaymentDependencies extends Pick<Context, 'database' | 'enqueue' | 'shop' | 'cache'> {
  cards: CardProcessor;
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
  logger: Pick<FastifyBaseLogger, 'warn'>;
}
