import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#contract/payments.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { sendProblem } from '../http/problems.ts';
import { Refusal } from '../http/refusal.ts';
import type { Serve } from '../http/serve.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import * as actions from './actions.ts';
import { type CardNews, type CardProcessor, CardProcessorAway } from './cards.ts';
import { preparePayment } from './prepare.ts';
import * as store from './store.ts';

/** The card provider told of an intent. */
export const cardEvent = job('payments.card-event', z.object({ transactionId: z.string() }));

/** The card provider told of a refund. */
export const refundEvent = job(
  'payments.refund-event',
  z.object({ transactionId: z.string(), cardRefundId: z.string() }),
);

/** The card provider told of a dispute. */
export const disputeEvent = job('payments.dispute-event', z.object({ cardDisputeId: z.string() }));

/** Has what an event is about asked for. */
function follow(enqueue: Enqueue, transaction: Transaction, about: CardNews): Promise<void> {
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

/** The same sentence wherever the card provider does not answer: nothing was lost, and it can be tried again. */
export async function orAway<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CardProcessorAway) {
      throw new Refusal(
        'card_processor_unavailable',
        'The card processor cannot be reached right now. Your booking is kept; please try again in a moment.',
      );
    }
    throw error;
  }
}

/** The calls of paying. */
export function paymentRoutes(serve: Serve, dependencies: actions.PaymentDependencies): void {
  serve(contract.createPaymentIntent, async ({ caller, body }) => {
    const prepared = await orAway(preparePayment(dependencies, caller, body));
    return { ...prepared, heldUntil: prepared.heldUntil?.toISOString() ?? null };
  });

  serve(contract.recordPayment, async ({ caller, body }) => ({
    acknowledged: true,
    insertedId: await orAway(actions.recordPayment(dependencies, caller, body)),
  }));
}

const eventProblems = {
  unsigned: 'This event does not bear the card processor’s signature.',
  malformed: 'What is signed here is no event: it has no id or no type.',
} as const;

/**
 * Where the card provider sends its signed events: `POST /webhooks/stripe`. An event is believed only for its
 * signature, noted once, and answered before anything is done about it; a job then asks what is true. An event about
 * something that the shop does not follow, or about an object of an unknown shape, is noted and ignored: sent again, it
 * would be no different.
 */
export function webhookRoutes(
  app: FastifyInstance,
  { database, cards, enqueue }: { database: Database; cards: CardProcessor; enqueue: Enqueue },
): void {
  app.removeAllContentTypeParsers();
  // The signature is over the bytes as they came.
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
      if (isNew && event.about !== null) await follow(enqueue, transaction, event.about);
    });
    return reply.code(200).send({ received: true });
  });
}
