import type { FastifyInstance } from 'fastify';
import type { Transaction } from '../database/tables.ts';
import { sendProblem } from '../http/problems.ts';
import { Refusal } from '../http/refusal.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { cardEvent } from './attempts.ts';
import type { CardEventObject } from './cards.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { disputeEvent } from './disputes.ts';
import { refundEvent } from './refunds.ts';
import * as store from './store.ts';

/** Queues the job that reads the current state of an event's object. */
function enqueueEvent(enqueue: Enqueue, transaction: Transaction, about: CardEventObject): Promise<void> {
  switch (about.kind) {
    case 'intent':
      return enqueue(transaction, cardEvent, { transactionId: about.transactionId });
    case 'refund': {
      const { transactionId, cardRefundId } = about;
      return enqueue(transaction, refundEvent, { transactionId, cardRefundId });
    }
    case 'dispute':
      return enqueue(transaction, disputeEvent, { cardDisputeId: about.cardDisputeId });
  }
}

const eventProblems = {
  unsigned: 'This event does not bear the card processor’s signature.',
  malformed: 'The signed payload is not an event: it has no id or no type.',
} as const;

/**
 * Receives the card processor's signed events at `POST /webhooks/stripe`. Checks the signature, stores the event once and
 * answers; a job then reads the object's current state. Events of other types or of an unknown shape are stored and
 * ignored, because another delivery would be no different.
 */
export async function cardWebhooks(
  app: FastifyInstance,
  { database, cards, enqueue }: Pick<PaymentDependencies, 'database' | 'cards' | 'enqueue'>,
): Promise<void> {
  app.removeAllContentTypeParsers();
  // The signature covers the unparsed bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/webhooks/stripe', async (request, reply) => {
    const signature = request.headers['stripe-signature'];
    const event =
      Buffer.isBuffer(request.body) && typeof signature === 'string'
        ? cards.readEvent(request.body, signature)
        : 'unsigned';
    if (event === 'unsigned' || event === 'malformed') {
      return sendProblem(reply, new Refusal('malformed_request', eventProblems[event]));
    }
    await database.transaction().execute(async (transaction) => {
      const isNew = await store.receiveEvent(transaction, event);
      if (isNew && event.about !== null) await enqueueEvent(enqueue, transaction, event.about);
    });
    return reply.code(200).send({ received: true });
  });
}
