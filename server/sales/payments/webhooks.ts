import type { FastifyInstance } from 'fastify';
import { payoutProcessorEvent } from '#server/money/payouts/steps.ts';
import { cardEvent, disputeEvent, refundEvent } from '#server/money/refunds/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { CardEventObject, PayoutEventObject } from './card-processor.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { fraudWarningEvent } from './fraud-warnings.ts';
import * as store from './store.ts';

type WebhookDependencies = Pick<PaymentDependencies, 'database' | 'cards' | 'enqueue'>;

/** Queues the job that reads the current state of an event's object. */
async function enqueueEvent(
  { enqueue }: WebhookDependencies,
  transaction: Transaction,
  about: CardEventObject | PayoutEventObject,
): Promise<void> {
  switch (about.kind) {
    case 'intent':
      return enqueue(transaction, cardEvent, { transactionId: about.transactionId });
    case 'refund': {
      const { transactionId, cardRefundId } = about;
      return enqueue(transaction, refundEvent, { transactionId, cardRefundId });
    }
    case 'dispute':
      return enqueue(transaction, disputeEvent, { cardDisputeId: about.cardDisputeId });
    case 'fraud_warning':
      return enqueue(transaction, fraudWarningEvent, { warningId: about.warningId });
    case 'account':
    case 'bank_account':
    case 'transfer':
    case 'payout':
      return enqueue(transaction, payoutProcessorEvent, about);
  }
}

/** Where the card processor sends its events. */
export const WEBHOOK_PATH = '/webhooks/stripe';

const eventProblems = {
  unsigned: 'This event does not bear the card processor’s signature.',
  malformed: 'The signed payload is not an event: it has no id or no type.',
} as const;

/**
 * Receives the card processor's signed events at `POST` {@link WEBHOOK_PATH}. Checks the signature, stores the event once and
 * answers; a job then reads the object's current state. Events of other types or of an unknown shape are stored and
 * ignored, because another delivery would be no different.
 */
export async function cardWebhooks(app: FastifyInstance, dependencies: WebhookDependencies): Promise<void> {
  const { database, cards } = dependencies;
  app.removeAllContentTypeParsers();
  // The signature covers the unparsed bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(WEBHOOK_PATH, async (request, reply) => {
    const signature = request.headers['stripe-signature'];
    const event =
      Buffer.isBuffer(request.body) && typeof signature === 'string'
        ? cards.readEvent(request.body, signature, await store.listEventSecrets(database))
        : 'unsigned';
    if (event === 'unsigned' || event === 'malformed') {
      return sendProblem(reply, new Refusal('malformed_request', eventProblems[event]));
    }
    await database.transaction().execute(async (transaction) => {
      const isNew = await store.receiveEvent(transaction, event);
      if (isNew && event.about !== null) await enqueueEvent(dependencies, transaction, event.about);
    });
    return reply.code(200).send({ received: true });
  });
}
