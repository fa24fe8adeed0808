import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keyInHeader, sameText } from '../api/keys.ts';
import type { Later } from '../resources/scheduled-changes.ts';
import type { Ledger } from '../storage/store.ts';
import { renderEvent } from '../webhooks/events.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type Faults, faultsSchema } from './faults.ts';

type Parts = { ledger: Ledger; faults: Faults; webhooks: Webhooks; later: Later; secretKey: string };

const deliverSchema = z
  .strictObject({
    /** Event ids in the order to deliver them, delivered ones included; else all that is pending. */
    events: z.array(z.string()).optional(),
    order: z.enum(['created', 'reversed']).default('created'),
    copies: z.int().min(1).max(10).default(1),
  })
  .prefault({});

const eventsQuery = z.object({
  type: z.string().optional(),
  /** An id: that object's events, and those of what belongs to that payment intent. */
  object: z.string().optional(),
});

const releaseSchema = z.strictObject({ count: z.int().min(1).default(1000) }).prefault({});
const heldQuery = z.object({ atLeast: z.coerce.number().int().min(0).default(0) });

/** The tests' hand on the processor: faults, held calls, webhooks one by one. */
export async function serveControl(app: FastifyInstance, parts: Parts): Promise<void> {
  const { ledger, faults, webhooks, later } = parts;

  app.addHook('onRequest', async (request, reply) => {
    const key = keyInHeader(request.headers.authorization);
    if (key === null || !sameText(key, parts.secretKey)) {
      return reply.code(401).send({ error: 'The secret key is needed here.' });
    }
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) });
    throw error;
  });

  const state = () => ({ ...faults.plan, held: faults.held });

  app.get('/sandbox/faults', async () => state());
  app.post('/sandbox/faults', async (request) => {
    faults.set(faultsSchema.parse(request.body));
    // What was under way is finished, so that from this answer on the plan alone decides.
    if (faults.plan.webhooks.mode === 'hold') await webhooks.idle();
    else webhooks.wake();
    return state();
  });
  app.delete('/sandbox/faults', async () => {
    faults.set(faultsSchema.parse({}));
    faults.release(faults.held);
    webhooks.wake();
    return state();
  });

  app.get('/sandbox/held', async (request) => {
    await faults.untilHeld(heldQuery.parse(request.query).atLeast);
    return { held: faults.held };
  });
  app.post('/sandbox/release', async (request) => {
    const { count } = releaseSchema.parse(request.body ?? undefined);
    return { released: faults.release(count) };
  });

  app.get('/sandbox/events', async (request) => {
    const asked = eventsQuery.parse(request.query);
    const events = ledger
      .all('event')
      .filter((event) => asked.type === undefined || event.type === asked.type)
      .filter((event) => {
        const { id, payment_intent: intent } = event.object;
        return asked.object === undefined || id === asked.object || intent === asked.object;
      });
    return {
      data: events.map((event) => {
        const delivery = ledger.find('delivery', event.id);
        return { ...renderEvent(event, delivery?.status === 'pending' ? 1 : 0), delivery };
      }),
    };
  });
  app.post('/sandbox/later', async () => {
    await later.happenNow();
    return state();
  });
  app.post('/sandbox/deliver', async (request) => {
    const asked = deliverSchema.parse(request.body ?? undefined);
    const events = asked.events ?? webhooks.pending();
    const ordered = asked.order === 'reversed' ? events.toReversed() : events;
    return { attempts: await webhooks.deliver(ordered, asked.copies) };
  });
}
