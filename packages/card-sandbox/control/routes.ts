import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { equalInConstantTime, keyInHeader } from '../api/keys.ts';
import type { ScheduledChanges } from '../resources/scheduled-changes.ts';
import type { Store } from '../storage/store.ts';
import { renderEvent } from '../webhooks/events.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { serveChanges } from './changes.ts';
import { type Faults, faultsSchema } from './faults.ts';

type ControlDependencies = {
  store: Store;
  faults: Faults;
  webhooks: Webhooks;
  scheduledChanges: ScheduledChanges;
  /** Called after records were changed. */
  afterCall(): void;
  secretKey: string;
};

const deliverSchema = z
  .strictObject({
    /** Ids in the order of delivery, which may have been delivered before. All pending events by default. */
    events: z.array(z.string()).optional(),
    order: z.enum(['created', 'reversed']).default('created'),
    copies: z.int().min(1).max(10).default(1),
  })
  .prefault({});

const eventParameters = z.object({
  type: z.string().optional(),
  /** An id: the events of this object, or of all objects of this payment intent. */
  object: z.string().optional(),
});

const releaseSchema = z.strictObject({ count: z.int().min(1).default(1000) }).prefault({});
const heldParameters = z.object({ atLeast: z.coerce.number().int().min(0).default(0) });

/** Serves `/sandbox/…`, with which tests plan faults, release held requests and deliver webhooks. */
export async function serveControl(app: FastifyInstance, dependencies: ControlDependencies): Promise<void> {
  const { store, faults, webhooks, scheduledChanges } = dependencies;
  serveChanges(app, dependencies);

  app.addHook('onRequest', async (request, reply) => {
    const key = keyInHeader(request.headers.authorization);
    if (key === null || !equalInConstantTime(key, dependencies.secretKey)) {
      return reply.code(401).send({ error: 'The secret key is needed here.' });
    }
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) });
    if (error instanceof RangeError) return reply.code(400).send({ error: error.message });
    throw error;
  });

  const state = () => ({ ...faults.plan, held: faults.held });

  app.get('/sandbox/faults', async () => state());
  app.post('/sandbox/faults', async (request) => {
    faults.set(faultsSchema.parse(request.body));
    // Deliveries in progress end first, so that after this response only the new plan applies.
    if (faults.plan.webhooks.mode === 'hold') await webhooks.idle();
    else webhooks.deliverDue();
    return state();
  });
  app.delete('/sandbox/faults', async () => {
    faults.set(faultsSchema.parse({}));
    faults.release(faults.held);
    webhooks.deliverDue();
    return state();
  });

  app.get('/sandbox/held', async (request) => {
    await faults.waitUntilHeld(heldParameters.parse(request.query).atLeast);
    return { held: faults.held };
  });
  app.post('/sandbox/release', async (request) => {
    const { count } = releaseSchema.parse(request.body ?? undefined);
    return { released: faults.release(count) };
  });

  app.get('/sandbox/events', async (request) => {
    const query = eventParameters.parse(request.query);
    const events = store
      .all('event')
      .filter((event) => query.type === undefined || event.type === query.type)
      .filter((event) => {
        const { id, payment_intent: intent } = event.object;
        return query.object === undefined || id === query.object || intent === query.object;
      });
    return {
      data: events.map((event) => {
        const delivery = store.find('delivery', event.id);
        return { ...renderEvent(event, delivery?.status === 'pending' ? 1 : 0), delivery };
      }),
    };
  });
  app.post('/sandbox/later', async () => {
    scheduledChanges.applyAll();
    return state();
  });
  app.post('/sandbox/settle', async () => {
    scheduledChanges.settle();
    return state();
  });
  app.post('/sandbox/payouts', async () => {
    scheduledChanges.payOut();
    return state();
  });
  app.post('/sandbox/deliver', async (request) => {
    const query = deliverSchema.parse(request.body ?? undefined);
    const events = query.events ?? webhooks.pending().map(({ id }) => id);
    const ordered = query.order === 'reversed' ? events.toReversed() : events;
    return { attempts: await webhooks.deliver(ordered, query.copies) };
  });
}
