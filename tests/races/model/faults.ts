import type { CallFault, FaultPlanInput } from '@coomercio/card-sandbox';
import type { Action } from './actions.ts';
import { escalateInquiries, type World, winDisputes } from './world.ts';

type Plan = Required<Pick<FaultPlanInput, 'webhooks' | 'calls'>>;

/** The current fault plan of each world. The stand-in replaces plans as a whole, so changes are merged here. */
const plans = new WeakMap<World, Plan>();

async function mergeFaults(world: World, change: Partial<Plan>): Promise<void> {
  const plan: Plan = { webhooks: {}, calls: [], ...plans.get(world), ...change };
  plans.set(world, plan);
  await world.shop.cards.setFaults(plan);
}

const always = () => true;

export const eventsStop = (): Action => ({
  name: 'events stop coming',
  possible: always,
  run: (_model, world) => mergeFaults(world, { webhooks: { mode: 'hold' } }),
});

export const eventsComeTimes = (copies: number): Action => ({
  name: `events come ${copies} times each`,
  possible: always,
  run: (_model, world) => mergeFaults(world, { webhooks: { mode: 'deliver', copies } }),
});

export const heldEventsCome = (order: 'created' | 'reversed', copies: number): Action => ({
  name: `held events come in ${order} order, ${copies} times each`,
  possible: always,
  run: async (_model, { shop }) => {
    await shop.cards.deliverEvents({ order, copies });
  },
});

export const oldEventsComeAgain = (buyer: number, laptop: number): Action => ({
  name: `old events about buyer ${buyer} and laptop ${laptop} come again`,
  possible: (model) => typeof model.deals.get(`${buyer}/${laptop}`)?.clientSecret === 'string',
  run: async (model, { shop }) => {
    const secret = model.deals.get(`${buyer}/${laptop}`)?.clientSecret ?? '';
    const events = await shop.cards.listEventIds(secret.split('_secret_')[0] ?? '');
    await shop.cards.deliverEvents({ events, order: 'reversed' });
  },
});

/** The shop's and the browser's calls to the card processor. */
export const cardCalls = [
  { method: 'POST', path: '/v1/payment_intents' },
  { method: 'GET', path: '/v1/payment_intents/*' },
  { method: 'POST', path: '/v1/payment_intents/*/confirm' },
  { method: 'POST', path: '/v1/payment_intents/*/cancel' },
  { method: 'POST', path: '/v1/refunds' },
  { method: 'GET', path: '/v1/refunds/*' },
  { method: 'GET', path: '/v1/disputes/*' },
] as const;

export const answersGetLost = (
  call: (typeof cardCalls)[number],
  moment: CallFault['moment'],
  times: number,
): Action => ({
  name: `${times} answers to ${call.method} ${call.path} get lost (${moment})`,
  possible: always,
  run: (_model, world) => mergeFaults(world, { calls: [{ ...call, kind: 'disconnect', moment, times }] }),
});

export const callsFail = (call: (typeof cardCalls)[number], times: number): Action => ({
  name: `${times} times ${call.method} ${call.path} is answered with 500`,
  possible: always,
  run: (_model, world) => mergeFaults(world, { calls: [{ ...call, kind: 'error', times }] }),
});

export const bankActs = (): Action => ({
  name: 'days pass at the banks: refunds come through or fail, charges are disputed',
  possible: always,
  run: (_model, { shop }) => shop.cards.runDelayedOutcomes(),
});

export const disputesAreWon = (): Action => ({
  name: 'all disputes are won',
  possible: always,
  // A lost response leaves a dispute open until the run's end.
  run: (_model, world) => winDisputes(world).catch(() => undefined),
});

export const inquiriesEscalate = (): Action => ({
  name: 'all inquiries become chargebacks',
  possible: always,
  run: (_model, world) => escalateInquiries(world).catch(() => undefined),
});

export const reconciles = (): Action => ({
  name: 'an hour passes for the payments of which nothing was heard',
  possible: always,
  run: async (_model, { shop }) => {
    // Failures caused by faults are retried at the run's end.
    await shop.reconcile(new Date(Date.now() + 3_600_000)).catch(() => undefined);
  },
});
