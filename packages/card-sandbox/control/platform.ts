import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { applyVerdict, openDispute, reinstate } from '../resources/disputes.ts';
import { warnAbout } from '../resources/early-fraud-warnings.ts';
import { platformOf } from '../resources/platform.ts';
import { moveBalance, movementSchema } from '../resources/platform-movements.ts';
import type { Store } from '../storage/store.ts';

const settlementSchema = z.strictObject({
  currency: z.string().regex(/^[a-z]{3}$/),
  /** How many units of the currency one unit of a payment's is worth. */
  exchangeRate: z.number().positive().default(1),
});

const chargeSchema = z.strictObject({
  dispute: z.enum(['chargeback', 'inquiry']).optional(),
  /** Stripe's type of fraud. */
  earlyFraudWarning: z.string().optional(),
});

const disputeSchema = z.strictObject({ outcome: z.enum(['won', 'lost', 'escalated']) });

/** Serves the routes with which tests do what Stripe, a bank or an operator would do to payments and to the balance. */
export function servePlatformControl(
  app: FastifyInstance,
  { store, afterCall }: { store: Store; afterCall(): void },
): void {
  app.post('/sandbox/movements', async (request) => {
    const given = movementSchema.parse(request.body);
    const id = store.run(() => moveBalance(store, given));
    afterCall();
    return { id };
  });

  app.post('/sandbox/settlement', async (request) => {
    const given = settlementSchema.parse(request.body);
    store.run(() => store.put({ ...platformOf(store), ...given }));
    return given;
  });

  app.post<{ Params: { id: string } }>('/sandbox/charges/:id', async (request, reply) => {
    const { dispute, earlyFraudWarning } = chargeSchema.parse(request.body);
    const charge = store.find('charge', request.params.id);
    if (charge === undefined) return reply.code(404).send({ error: 'There is no such charge.' });
    store.run(() => {
      if (earlyFraudWarning !== undefined) warnAbout(store, charge, earlyFraudWarning);
      if (dispute !== undefined) openDispute(store, charge, dispute);
    });
    afterCall();
    return { id: charge.id };
  });

  app.post<{ Params: { id: string } }>('/sandbox/disputes/:id', async (request, reply) => {
    const { outcome } = disputeSchema.parse(request.body);
    const dispute = store.find('dispute', request.params.id);
    if (dispute === undefined) return reply.code(404).send({ error: 'There is no such dispute.' });
    const isClosed = ['won', 'lost', 'warning_closed'].includes(dispute.status);
    if (isClosed && (dispute.status !== 'lost' || outcome !== 'won')) {
      return reply.code(400).send({ error: 'A closed dispute changes only from lost to won.' });
    }
    store.run(() => {
      if (isClosed) reinstate(store, dispute);
      else applyVerdict(store, null, dispute, outcome);
    });
    afterCall();
    return { id: dispute.id };
  });
}
