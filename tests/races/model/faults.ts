import type { CallFault, FaultPlanInput } from '@coomercio/card-sandbox';
import Stripe from 'stripe';
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

const isAlwaysPossible = () => true;

export const holdEvents = (): Action => ({
  name: 'webhook events are held',
  isPossible: isAlwaysPossible,
  run: (_model, world) => mergeFaults(world, { webhooks: { mode: 'hold' } }),
});

export const deliverEventsRepeatedly = (copies: number): Action => ({
  name: `each webhook event is delivered ${copies} times`,
  isPossible: isAlwaysPossible,
  run: (_model, world) => mergeFaults(world, { webhooks: { mode: 'deliver', copies } }),
});

export const deliverHeldEvents = (order: 'created' | 'reversed', copies: number): Action => ({
  name: `held events are delivered in ${order} order, ${copies} times each`,
  isPossible: isAlwaysPossible,
  run: async (_model, { shop }) => {
    await shop.cards.deliverEvents({ order, copies });
  },
});

export const redeliverEvents = (buyer: number, laptop: number): Action => ({
  name: `the events about buyer ${buyer} and laptop ${laptop} are delivered again`,
  isPossible: (model) => typeof model.bookings.get(`${buyer}/${laptop}`)?.clientSecret === 'string',
  run: async (model, { shop }) => {
    const secret = model.bookings.get(`${buyer}/${laptop}`)?.clientSecret ?? '';
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
  { method: 'POST', path: '/v1/transfers' },
  { method: 'GET', path: '/v1/transfers' },
  { method: 'POST', path: '/v1/transfers/*/reversals' },
] as const;

export const dropResponses = (
  call: (typeof cardCalls)[number],
  moment: CallFault['moment'],
  times: number,
): Action => ({
  name: `${times} responses to ${call.method} ${call.path} are lost (${moment})`,
  isPossible: isAlwaysPossible,
  run: (_model, world) => mergeFaults(world, { calls: [{ ...call, kind: 'disconnect', moment, times }] }),
});

export const failCalls = (call: (typeof cardCalls)[number], times: number): Action => ({
  name: `${call.method} ${call.path} returns 500 ${times} times`,
  isPossible: isAlwaysPossible,
  run: (_model, world) => mergeFaults(world, { calls: [{ ...call, kind: 'error', times }] }),
});

export const completeDelayedOutcomes = (): Action => ({
  name: 'delayed outcomes occur: refunds succeed or fail, charges are disputed',
  isPossible: isAlwaysPossible,
  run: (_model, { shop }) => shop.cards.runDelayedOutcomes(),
});

export const settleAllFunds = (): Action => ({
  name: 'all money becomes available',
  isPossible: isAlwaysPossible,
  run: (_model, { shop }) => shop.cards.settleFunds(),
});

export const sweepToTheBank = (): Action => ({
  name: 'an automatic payout moves the shop’s available balance to its bank',
  isPossible: isAlwaysPossible,
  run: (_model, { shop }) => shop.cards.sweepBalance(),
});

/** @param share of the captured amount; the processor refuses more than what is left */
export const refundInDashboard = (buyer: number, laptop: number, share: number): Action => ({
  name: `an operator refunds ${share * 100} % of what buyer ${buyer} paid for laptop ${laptop} at the card processor`,
  isPossible: (model) => typeof model.bookings.get(`${buyer}/${laptop}`)?.clientSecret === 'string',
  run: async (model, { shop }) => {
    const secret = model.bookings.get(`${buyer}/${laptop}`)?.clientSecret ?? '';
    const [payment_intent = ''] = secret.split('_secret_');
    const { stripe } = shop.cards;
    const { amount_received } = await stripe.paymentIntents.retrieve(payment_intent);
    if (amount_received === 0) return;
    const amount = Math.floor(amount_received * share);
    await stripe.refunds.create({ payment_intent, amount }).catch((error: unknown) => {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    });
  },
});

export const winAllDisputes = (): Action => ({
  name: 'all disputes are won',
  isPossible: isAlwaysPossible,
  // A lost response leaves a dispute open until the run's end.
  run: (_model, world) => winDisputes(world).catch(() => undefined),
});

export const escalateAllInquiries = (): Action => ({
  name: 'all inquiries become chargebacks',
  isPossible: isAlwaysPossible,
  run: (_model, world) => escalateInquiries(world).catch(() => undefined),
});

export const reconcileAnHourLater = (): Action => ({
  name: 'reconciliation runs as if an hour had passed',
  isPossible: isAlwaysPossible,
  run: async (_model, { shop }) => {
    // Failures caused by faults are retried at the run's end.
    await shop.reconcile(new Date(Date.now() + 3_600_000)).catch(() => undefined);
  },
});
