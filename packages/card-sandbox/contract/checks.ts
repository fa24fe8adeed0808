import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { apiVersion } from '../webhooks/events.ts';
import type { RuleName } from './rules.ts';
import { controlOf, refusal, Skipped, type Target } from './target.ts';

/** One fact about the API. */
export type Check = {
  name: string;
  /** The rule that it checks; without one, it is the form of a request that the shop sends. */
  rule?: RuleName;
  /** What `run` returns where the API behaves as the sandbox does, as JSON. */
  expected: unknown;
  /** @throws Skipped if the target does not allow the check */
  run(target: Target): Promise<unknown>;
};

const orderId = () => randomUUID();

/** Takes a payment. @returns the intent with its charge expanded, and the charge */
async function pay(
  { stripe }: Target,
  method = 'pm_card_visa',
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
) {
  const intent = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    payment_method: method,
    confirm: true,
    ...changes,
  });
  return { intent: intent.id, charge: String(intent.latest_charge) };
}

const available = async ({ stripe }: Target) => (await stripe.balance.retrieve()).available[0]?.amount ?? 0;

/** Takes a payment that settles at once, and pays everything out. @returns the payment */
async function paySettledAndSweep(target: Target, changes: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const payment = await pay(target, 'pm_card_bypassPending', changes);
  const amount = await available(target);
  if (amount > 0) await target.stripe.payouts.create({ amount, currency: 'usd' });
  return payment;
}

const transfer = (
  { stripe }: Target,
  destination: string,
  changes: Partial<Stripe.TransferCreateParams> = {},
) => stripe.transfers.create({ destination, amount: 1_000, currency: 'usd', ...changes });

const disputesOf = (target: Target, payment_intent: string) =>
  target.eventually(
    async () => (await target.stripe.disputes.list({ payment_intent })).data,
    ({ length }) => length > 0,
  );

const recipient = (entity_type: 'individual' | 'company') =>
  ({
    contact_email: 'seller@example.com',
    display_name: 'Sally Seller',
    dashboard: 'express',
    identity: { country: 'us', entity_type },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: {
      currency: 'usd',
      responsibilities: { fees_collector: 'application', losses_collector: 'application' },
    },
    metadata: { sellerId: 'seller' },
    include: ['configuration.recipient', 'identity', 'requirements'],
  }) satisfies Stripe.V2.Core.AccountCreateParams;

function capabilitiesOf(account: Stripe.V2.Core.Account) {
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  return { transfers: balance?.stripe_transfers?.status, payouts: balance?.payouts?.status };
}

/** Sums the platform's movements by type and category. */
async function movements({ stripe }: Target): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for await (const { type, reporting_category, net } of stripe.balanceTransactions.list({ limit: 100 })) {
    const name = `${type}/${reporting_category}`;
    sums[name] = (sums[name] ?? 0) + net;
  }
  return sums;
}

/** Returns the types of the sandbox's events about an object. */
async function eventsOf(target: Target, object: string): Promise<string[]> {
  const answer = await controlOf(target)(`events?object=${object}`);
  const events = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : [];
  return Array.isArray(events) ? events.map(({ type }) => String(type)) : [];
}

const requests: Check[] = [
  {
    name: 'a payment intent keeps what the shop sends',
    expected: {
      status: 'requires_payment_method',
      payment_method_types: ['card'],
      transfer_group: 'order_1',
      metadata: { bookingId: 'b1' },
      receipt_email: 'buyer@example.com',
      statement_descriptor_suffix: 'LAPTOP 7',
      shipping: { name: 'Ada Buyer', address: { city: 'Berlin', country: 'DE' } },
      hasSecret: true,
    },
    async run({ stripe }) {
      const created = await stripe.paymentIntents.create({
        amount: 54_999,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        transfer_group: 'order_1',
        metadata: { bookingId: 'b1' },
        description: 'A laptop',
        receipt_email: 'buyer@example.com',
        statement_descriptor_suffix: 'LAPTOP 7',
        shipping: { name: 'Ada Buyer', address: { line1: 'Street 1', city: 'Berlin', country: 'DE' } },
      });
      const intent = await stripe.paymentIntents.retrieve(created.id);
      const { address, name } = intent.shipping ?? {};
      return {
        status: intent.status,
        payment_method_types: intent.payment_method_types,
        transfer_group: intent.transfer_group,
        metadata: intent.metadata,
        receipt_email: intent.receipt_email,
        statement_descriptor_suffix: intent.statement_descriptor_suffix,
        shipping: { name, address: { city: address?.city, country: address?.country } },
        hasSecret: typeof created.client_secret === 'string',
      };
    },
  },
  {
    name: 'a customer is created with an id of the shop, named, and pays',
    expected: {
      created: { name: null, email: null, metadata: { buyerId: 'b1' } },
      named: { name: 'Ada Buyer', email: 'ada@example.com', phone: '+49 30 1234567' },
      later: { name: 'Ada Buyer', email: null },
      isOfPayment: [true, true],
      expanded: 'Ada Buyer',
    },
    async run({ stripe }) {
      const created = await stripe.customers.create({ metadata: { buyerId: 'b1' } });
      const { id, metadata } = created;
      const contact = { name: 'Ada Buyer', email: 'ada@example.com', phone: '+49 30 1234567' };
      const { name, email, phone } = await stripe.customers.update(id, contact);
      const later = await stripe.customers.update(id, { email: '' });
      const intent = await stripe.paymentIntents.create({
        ...{ amount: 500, currency: 'usd', customer: id, expand: ['latest_charge'] },
        ...{ allowed_payment_method_types: ['card'], payment_method: 'pm_card_visa', confirm: true },
      });
      const charge = intent.latest_charge;
      const { customer } = await stripe.paymentIntents.retrieve(intent.id, { expand: ['customer'] });
      const isCustomer = typeof customer === 'object' && customer !== null && !customer.deleted;
      return {
        created: { name: created.name ?? null, email: created.email, metadata },
        named: { name, email, phone },
        later: { name: later.name, email: later.email },
        isOfPayment: [intent, charge].map((one) => typeof one === 'object' && one?.customer === id),
        expanded: isCustomer ? customer.name : customer,
      };
    },
  },
  {
    name: 'a charge names its balance transaction with fee and currency',
    expected: { status: 'succeeded', amount: 10_000, currency: 'usd', type: 'charge', netIsLess: true },
    async run(target) {
      const { intent } = await pay(target);
      const read = () =>
        target.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge.balance_transaction'] });
      const movementOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
        charge !== null && typeof charge !== 'string' ? charge.balance_transaction : null;
      const paid = await target.eventually(read, (one) => movementOf(one) !== null);
      const movement = movementOf(paid);
      if (movement === null || typeof movement === 'string') throw new Error('has no balance transaction');
      const { amount, currency, type, fee, net } = movement;
      return { status: paid.status, amount, currency, type, netIsLess: net === amount - fee && fee > 0 };
    },
  },
  {
    name: 'an intent is canceled once',
    expected: { status: 'canceled', again: { refused: 'payment_intent_unexpected_state' } },
    async run({ stripe }) {
      const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
      const { status } = await stripe.paymentIntents.cancel(id);
      return { status, again: await refusal(stripe.paymentIntents.cancel(id)) };
    },
  },
  {
    name: 'an unknown intent',
    expected: { refused: 'resource_missing', param: 'intent' },
    run: ({ stripe }) => refusal(stripe.paymentIntents.retrieve('pi_unknown')),
  },
  {
    name: 'an amount below the minimum',
    expected: { refused: 'amount_too_small', param: 'amount' },
    run: ({ stripe }) => refusal(stripe.paymentIntents.create({ amount: 49, currency: 'usd' })),
  },
  {
    name: 'a declined card',
    expected: { refused: 'card_declined' },
    run: (target) => refusal(pay(target, 'pm_card_chargeDeclined')),
  },
  {
    name: 'a refund in parts, and one too many',
    expected: {
      statuses: ['succeeded', 'succeeded'],
      over: { refused: 'charge_already_refunded' },
      listed: 2,
    },
    async run(target) {
      const { stripe } = target;
      const { intent } = await pay(target);
      const refund = (amount: number) =>
        stripe.refunds.create({ payment_intent: intent, amount, metadata: { reference: 'r' } });
      const made = [await refund(4_000), await refund(6_000)];
      const over = await refusal(refund(1));
      const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
      return { statuses: made.map(({ status }) => status), over, listed: data.length };
    },
  },
  {
    name: 'a disputed charge cannot be refunded',
    expected: { status: 'needs_response', amount: 10_000, refund: { refused: 'charge_disputed' } },
    async run(target) {
      const { intent } = await pay(target, 'pm_card_createDispute');
      const [listed] = await disputesOf(target, intent);
      const { status, amount } = await target.stripe.disputes.retrieve(listed?.id ?? '');
      const refund = await refusal(target.stripe.refunds.create({ payment_intent: intent }));
      return { status, amount, refund };
    },
  },
  {
    name: 'an onboarding link, and an unknown account',
    expected: { link: true, unknown: { refused: 'not_found' } },
    async run({ stripe }) {
      const { id } = await stripe.v2.core.accounts.create(recipient('individual'));
      const urls = { return_url: 'https://shop.example/back', refresh_url: 'https://shop.example/again' };
      const { url } = await stripe.v2.core.accountLinks.create({
        account: id,
        use_case: {
          type: 'account_onboarding',
          account_onboarding: urls,
        },
      });
      return {
        link: URL.canParse(url),
        unknown: await refusal(stripe.v2.core.accounts.retrieve('acct_1AaBbCcDdEeFfGgH')),
      };
    },
  },
  {
    name: 'a transfer is found by its group and by its destination, and reversed in part',
    expected: { metadata: { reference: 'first' }, byGroup: 1, byDestination: true, reversed: 400, listed: 1 },
    async run(target) {
      const { stripe } = target;
      const account = await target.account();
      const group = orderId();
      const { charge } = await pay(target, 'pm_card_bypassPending', { transfer_group: group });
      const { id } = await transfer(target, account, {
        source_transaction: charge,
        metadata: { reference: 'first' },
      });
      await stripe.transfers.createReversal(id, { amount: 400, metadata: { reference: 'back' } });
      const [byGroup, byDestination, reversals, read] = await Promise.all([
        stripe.transfers.list({ transfer_group: group, limit: 100 }),
        stripe.transfers.list({ destination: account, limit: 100 }),
        stripe.transfers.listReversals(id, { limit: 100 }),
        stripe.transfers.retrieve(id),
      ]);
      return {
        metadata: read.metadata,
        byGroup: byGroup.data.length,
        byDestination: byDestination.data.some((one) => one.id === id),
        reversed: read.amount_reversed,
        listed: reversals.data.length,
      };
    },
  },
  {
    name: 'movements are listed by time, with their source',
    expected: { object: 'charge', category: 'charge' },
    async run(target) {
      const since = Math.floor(Date.now() / 1000) - 5;
      const { charge } = await pay(target);
      const found = await target.eventually(
        async () => {
          const parameters = { created: { gte: since }, limit: 100, expand: ['data.source'] };
          const { data } = await target.stripe.balanceTransactions.list(parameters);
          return data.find(({ source }) => typeof source === 'object' && source?.id === charge);
        },
        (movement) => movement !== undefined,
      );
      const source = found?.source;
      return {
        object: typeof source === 'object' ? source?.object : source,
        category: found?.reporting_category,
      };
    },
  },
  {
    name: 'the payouts of a connected account',
    expected: { isList: true, unknown: { refused: 'resource_missing', param: 'payout' } },
    async run(target) {
      const stripeAccount = await target.account();
      const { data } = await target.stripe.payouts.list({ limit: 10 }, { stripeAccount });
      const unknown = await refusal(target.stripe.payouts.retrieve('po_unknown', {}, { stripeAccount }));
      return { isList: Array.isArray(data), unknown };
    },
  },
];

const ruleChecks: Check[] = [
  {
    name: 'the former parameter of payment methods',
    rule: 'cardOnly',
    expected: { param: 'payment_method_types', allowed: ['card'] },
    async run({ stripe }) {
      const parameters = { amount: 500, currency: 'usd' };
      const former = { ...parameters, payment_method_types: ['card'] };
      const { param } = await refusal(stripe.rawRequest('POST', '/v1/payment_intents', former));
      const intent = await stripe.paymentIntents.create({
        ...parameters,
        allowed_payment_method_types: ['card'],
      });
      return { param, allowed: intent.allowed_payment_method_types };
    },
  },
  {
    name: 'an unknown parameter',
    rule: 'unknownParameter',
    expected: { refused: 'parameter_unknown', param: 'colour' },
    run: ({ stripe }) =>
      refusal(
        stripe.rawRequest('POST', '/v1/payment_intents', { amount: 500, currency: 'usd', colour: 'red' }),
      ),
  },
  {
    name: 'a key with the same and with other parameters',
    rule: 'idempotency',
    expected: { same: true, other: { refused: 'StripeIdempotencyError' } },
    async run({ stripe }) {
      const options = { idempotencyKey: randomUUID() };
      const create = (amount: number) => stripe.paymentIntents.create({ amount, currency: 'usd' }, options);
      const first = await create(500);
      const second = await create(500);
      return { same: first.id === second.id, other: await refusal(create(600)) };
    },
  },
  {
    name: 'a deleted customer',
    rule: 'customers',
    expected: {
      answer: { deleted: true },
      retrieved: { object: 'customer', deleted: true },
      pays: { refused: 'resource_missing', param: 'customer' },
      isUpdated: 'resource_missing',
      isDeletedAgain: 'resource_missing',
      isUnknown: 'resource_missing',
    },
    async run({ stripe }) {
      const { id } = await stripe.customers.create({ name: 'Ada Buyer' });
      const { deleted } = await stripe.customers.del(id);
      const retrieved = await stripe.customers.retrieve(id);
      const intent = { amount: 500, currency: 'usd', customer: id };
      return {
        answer: { deleted },
        retrieved: { object: retrieved.object, deleted: retrieved.deleted },
        pays: await refusal(stripe.paymentIntents.create(intent)),
        isUpdated: (await refusal(stripe.customers.update(id, { name: 'Ada' }))).refused,
        isDeletedAgain: (await refusal(stripe.customers.del(id))).refused,
        isUnknown: (await refusal(stripe.customers.update('cus_unknown', { name: 'Ada' }))).refused,
      };
    },
  },
  {
    name: 'a telephone number of more than 20 characters',
    rule: 'customerLengths',
    expected: { param: 'phone' },
    async run({ stripe }) {
      const { param } = await refusal(stripe.customers.create({ phone: '+49 30 1234567 ext. 89' }));
      return { param };
    },
  },
  {
    name: 'a descriptor suffix without a letter',
    rule: 'descriptorSuffix',
    expected: { isRefused: true },
    async run({ stripe }) {
      const parameters = { amount: 500, currency: 'usd', statement_descriptor_suffix: '123' } as const;
      const { param } = await refusal(stripe.paymentIntents.create(parameters));
      return { isRefused: param === 'statement_descriptor_suffix' };
    },
  },
  {
    name: 'from a charge that has not settled, whatever is available',
    rule: 'unsettledSource',
    expected: { amount: 10_000, status: 'pending' },
    async run(target) {
      const { charge } = await pay(target);
      const account = await target.account();
      const made = await transfer(target, account, {
        source_transaction: charge,
        amount: 10_000,
        expand: ['balance_transaction'],
      });
      const movement = made.balance_transaction;
      return { amount: made.amount, status: typeof movement === 'object' ? movement?.status : movement };
    },
  },
  {
    name: 'from a settled charge whose money was paid out',
    rule: 'settledSource',
    expected: { refused: 'balance_insufficient' },
    async run(target) {
      const account = await target.account();
      const { charge } = await paySettledAndSweep(target);
      return refusal(transfer(target, account, { source_transaction: charge, amount: 9_000 }));
    },
  },
  {
    name: 'without a charge, more than is available',
    rule: 'transferBalance',
    expected: { refused: 'balance_insufficient' },
    async run(target) {
      const account = await target.account();
      return refusal(transfer(target, account, { amount: Math.max(0, await available(target)) + 1_000 }));
    },
  },
  {
    name: 'the cap of a charge after a refund',
    rule: 'sourceCap',
    expected: { afterRefund: 10_000, over: { refused: 'StripeInvalidRequestError', param: 'amount' } },
    async run(target) {
      const account = await target.account();
      const { charge } = await pay(target);
      await target.stripe.refunds.create({ charge, amount: 4_000 });
      const { amount } = await transfer(target, account, { source_transaction: charge, amount: 10_000 });
      const over = await refusal(transfer(target, account, { source_transaction: charge, amount: 1 }));
      return { afterRefund: amount, over };
    },
  },
  {
    name: 'the group of a charge with one, and without',
    rule: 'transferGroup',
    expected: { ofCharge: true, assigned: true, onCharge: true },
    async run(target) {
      const account = await target.account();
      const group = orderId();
      const grouped = await pay(target, 'pm_card_visa', { transfer_group: group });
      const bare = await pay(target);
      const first = await transfer(target, account, { source_transaction: grouped.charge });
      const second = await transfer(target, account, { source_transaction: bare.charge });
      const charge = await target.stripe.charges.retrieve(bare.charge);
      return {
        ofCharge: first.transfer_group === group,
        assigned: second.transfer_group === `group_${bare.intent}`,
        onCharge: charge.transfer_group === second.transfer_group,
      };
    },
  },
  {
    name: 'another group than that of the charge is ignored (untried)',
    rule: 'transferGroup',
    expected: { isThatOfCharge: true },
    async run(target) {
      const account = await target.account();
      const group = orderId();
      const { charge } = await pay(target, 'pm_card_visa', { transfer_group: group });
      const made = await transfer(target, account, { source_transaction: charge, transfer_group: 'other' });
      return { isThatOfCharge: made.transfer_group === group };
    },
  },
  {
    name: 'in another currency than that of the charge',
    rule: 'transferCurrency',
    expected: { isRefused: true },
    async run(target) {
      const account = await target.account();
      const { charge } = await pay(target);
      await refusal(transfer(target, account, { source_transaction: charge, currency: 'eur' }));
      return { isRefused: true };
    },
  },
  {
    name: 'the reversal of a transfer whose money is pending',
    rule: 'reversalBalance',
    expected: { refused: 'balance_insufficient' },
    async run(target) {
      const account = await target.account();
      const { charge } = await pay(target);
      const { id } = await transfer(target, account, { source_transaction: charge, amount: 10_000 });
      const { available: amounts } = await target.stripe.balance.retrieve({}, { stripeAccount: account });
      if ((amounts[0]?.amount ?? 0) >= 10_000) throw new Skipped('the account has other money available');
      return refusal(target.stripe.transfers.createReversal(id));
    },
  },
  {
    name: 'the settings of the platform and of an account',
    rule: 'balanceSettings',
    expected: {
      platform: true,
      weekly: { interval: 'weekly', weekly_payout_days: ['monday'] },
      daily: { interval: 'daily' },
    },
    async run(target) {
      const { balanceSettings } = target.stripe;
      const options = { stripeAccount: await target.account() };
      const set = (schedule: Stripe.BalanceSettingsUpdateParams.Payments.Payouts.Schedule) =>
        balanceSettings.update({ payments: { payouts: { schedule } } }, options);
      const platform = await balanceSettings.retrieve();
      const weekly = await set({ interval: 'weekly', weekly_payout_days: ['monday'] });
      const daily = await set({ interval: 'daily' });
      return {
        platform: typeof platform.payments.payouts?.schedule?.interval === 'string',
        weekly: weekly.payments.payouts?.schedule,
        daily: daily.payments.payouts?.schedule,
      };
    },
  },
  {
    name: 'an event destination tells its secret once',
    rule: 'eventDestinations',
    expected: {
      created: ['snapshot', ['@self', '@accounts'], true, true],
      listed: [true, false],
      wrongType: { refused: 'invalid_fields', param: 'enabled_events.0' },
      isGone: true,
    },
    async run({ stripe }) {
      const { eventDestinations } = stripe.v2.core;
      const parameters = {
        name: 'Contract',
        type: 'webhook_endpoint',
        event_payload: 'snapshot',
        enabled_events: ['payment_intent.succeeded'],
        events_from: ['@self', '@accounts'],
        snapshot_api_version: apiVersion,
        webhook_endpoint: { url: 'https://shop.example/webhooks/stripe' },
        include: ['webhook_endpoint.signing_secret', 'webhook_endpoint.url'],
      } satisfies Stripe.V2.Core.EventDestinationCreateParams;
      const { id, ...created } = await eventDestinations.create(parameters);
      const wrongType = await refusal(
        eventDestinations.create({ ...parameters, enabled_events: ['payment_intent.*'] }),
      );
      const find = async () => {
        for await (const each of eventDestinations.list({ include: ['webhook_endpoint.url'] })) {
          if (each.id === id) return each.webhook_endpoint;
        }
        return undefined;
      };
      const listed = await find();
      await eventDestinations.del(id);
      return {
        created: [
          created.event_payload,
          created.events_from,
          typeof created.webhook_endpoint?.signing_secret === 'string',
          created.webhook_endpoint?.url === parameters.webhook_endpoint.url,
        ],
        listed: [listed?.url === parameters.webhook_endpoint.url, typeof listed?.signing_secret === 'string'],
        wrongType,
        isGone: (await find()) === undefined,
      };
    },
  },
  {
    name: 'a daily schedule pays the available balance out, less the minimum',
    rule: 'minimumBalance',
    expected: { payouts: [[9_180, 'paid', true]], available: 500, sums: { 'payout/payout': -9_180 } },
    async run(target) {
      const control = controlOf(target);
      await target.stripe.balanceSettings.update({
        payments: {
          payouts: { schedule: { interval: 'daily' }, minimum_balance_by_currency: { usd: 500 } },
        },
      });
      await pay(target, 'pm_card_bypassPending');
      await control('payouts', {});
      const { data } = await target.stripe.payouts.list();
      const sums = await movements(target);
      return {
        payouts: data.map(({ amount, status, automatic }) => [amount, status, automatic]),
        available: await available(target),
        sums: { 'payout/payout': sums['payout/payout'] },
      };
    },
  },
  {
    name: 'a daily schedule takes the money of a transfer and of a refund',
    rule: 'platformPayouts',
    expected: { transfer: { refused: 'balance_insufficient' }, refund: 'pending' },
    async run(target) {
      const control = controlOf(target);
      const account = await target.account();
      await target.stripe.balanceSettings.update({
        payments: { payouts: { schedule: { interval: 'daily' } } },
      });
      const { charge } = await pay(target);
      await control('later', {});
      const refused = await refusal(transfer(target, account, { source_transaction: charge }));
      const { status } = await target.stripe.refunds.create({ charge, amount: 1_000 });
      return { transfer: refused, refund: status };
    },
  },
  {
    name: 'a refund of a charge that has not settled',
    rule: 'refundUnsettled',
    expected: { status: 'succeeded' },
    async run(target) {
      const { charge } = await pay(target);
      const { status } = await target.stripe.refunds.create({ charge });
      return { status };
    },
  },
  {
    name: 'a refund that the available balance does not cover',
    rule: 'refundBalance',
    expected: { status: 'pending', reason: 'insufficient_funds' },
    async run(target) {
      const { charge } = await paySettledAndSweep(target);
      const { status, pending_reason: reason } = await target.stripe.refunds.create({ charge });
      return { status, reason };
    },
  },
  {
    name: 'a refund that lacks funds continues with the next money',
    rule: 'refundBalance',
    expected: { before: 'pending', after: 'succeeded', moved: -10_000, events: ['refund.updated'] },
    async run(target) {
      const control = controlOf(target);
      const { charge } = await paySettledAndSweep(target);
      const { id, status } = await target.stripe.refunds.create({ charge });
      await control('movements', { kind: 'topup', amount: 20_000 });
      await control('later', {});
      const refund = await target.stripe.refunds.retrieve(id, { expand: ['balance_transaction'] });
      const movement = refund.balance_transaction;
      return {
        before: status,
        after: refund.status,
        moved: typeof movement === 'object' ? movement?.amount : movement,
        events: (await eventsOf(target, id)).filter((type) => type === 'refund.updated').slice(1),
      };
    },
  },
  {
    name: 'a refund that lacks funds fails when its charge is disputed',
    rule: 'pendingRefundDisputed',
    expected: { status: 'failed', reason: 'charge_for_pending_refund_disputed', disputed: 10_000 },
    async run(target) {
      const control = controlOf(target);
      const { charge, intent } = await paySettledAndSweep(target);
      const { id } = await target.stripe.refunds.create({ charge });
      await control(`charges/${charge}`, { dispute: 'chargeback' });
      const { status, failure_reason: reason } = await target.stripe.refunds.retrieve(id);
      const [dispute] = await disputesOf(target, intent);
      return { status, reason, disputed: dispute?.amount };
    },
  },
  {
    name: 'a new individual lacks information for both capabilities',
    rule: 'capabilities',
    expected: {
      entity: 'individual',
      status: { transfers: 'restricted', payouts: 'restricted' },
      isAsked: true,
    },
    async run({ stripe }) {
      const created = await stripe.v2.core.accounts.create(recipient('individual'));
      const { include } = recipient('individual');
      const account = await stripe.v2.core.accounts.retrieve(created.id, { include });
      const entries = account.requirements?.entries ?? [];
      return {
        entity: account.identity?.entity_type,
        status: capabilitiesOf(account),
        isAsked: entries.some(({ description }) => description.startsWith('identity.individual')),
      };
    },
  },
  {
    name: 'an onboarded account has both capabilities, and each can be taken',
    rule: 'capabilities',
    expected: [
      { transfers: 'active', payouts: 'active' },
      { transfers: 'active', payouts: 'restricted' },
    ],
    async run(target) {
      const control = controlOf(target);
      const account = await target.account();
      const read = async () =>
        capabilitiesOf(
          await target.stripe.v2.core.accounts.retrieve(account, { include: ['configuration.recipient'] }),
        );
      const before = await read();
      await control(`accounts/${account}`, { payouts: { status: 'restricted' } });
      return [before, await read()];
    },
  },
  {
    name: 'a company',
    rule: 'companies',
    expected: { entity: 'company', isAsked: true },
    async run({ stripe }) {
      const account = await stripe.v2.core.accounts.create(recipient('company'));
      const entries = account.requirements?.entries ?? [];
      return {
        entity: account.identity?.entity_type,
        isAsked: entries.some(({ description }) => description.startsWith('identity.business_details')),
      };
    },
  },
  {
    name: 'a warning about a payment',
    rule: 'earlyFraudWarnings',
    expected: { actionable: [true, false], isOfIntent: true },
    async run(target) {
      const { stripe } = target;
      const { intent, charge } = await pay(target, 'pm_card_createIssuerFraudRecord');
      const [warning] = await target.eventually(
        async () => (await stripe.radar.earlyFraudWarnings.list({ payment_intent: intent })).data,
        ({ length }) => length > 0,
      );
      await stripe.refunds.create({ charge });
      const read = await stripe.radar.earlyFraudWarnings.retrieve(warning?.id ?? '');
      return {
        actionable: [warning?.actionable, read.actionable],
        isOfIntent: read.payment_intent === intent && read.charge === charge,
      };
    },
  },
  {
    name: 'a wholly refunded charge is disputed',
    rule: 'disputedRefund',
    expected: { amount: 10_000, status: 'needs_response' },
    async run(target) {
      const { charge, intent } = await pay(target);
      await target.stripe.refunds.create({ charge });
      await controlOf(target)(`charges/${charge}`, { dispute: 'chargeback' });
      const [dispute] = await disputesOf(target, intent);
      return { amount: dispute?.amount, status: dispute?.status };
    },
  },
  {
    name: 'a lost dispute is won later',
    rule: 'reinstatement',
    expected: {
      statuses: ['lost', 'won'],
      events: ['charge.dispute.closed', 'charge.dispute.updated', 'charge.dispute.funds_reinstated'],
      sum: 0,
    },
    async run(target) {
      const control = controlOf(target);
      const { charge, intent } = await pay(target);
      await control(`charges/${charge}`, { dispute: 'chargeback' });
      const [dispute] = await disputesOf(target, intent);
      const id = dispute?.id ?? '';
      const lost = await target.stripe.disputes.close(id);
      await control(`disputes/${id}`, { outcome: 'won' });
      const won = await target.stripe.disputes.retrieve(id);
      return {
        statuses: [lost.status, won.status],
        events: (await eventsOf(target, id)).slice(2),
        sum: won.balance_transactions.reduce((sum, { amount }) => sum + amount, 0),
      };
    },
  },
  {
    name: 'a payment is followed by charge.updated',
    rule: 'chargeUpdated',
    expected: ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
    async run(target) {
      const { intent } = await pay(target);
      return eventsOf(target, intent);
    },
  },
  {
    name: 'top-ups, reserves, fees and adjustments',
    rule: 'reportingCategories',
    expected: {
      'topup/topup': 100_000,
      'reserved_funds/connect_reserved_funds': -4_000,
      'stripe_fee/fee': -200,
      'adjustment/other_adjustment': 7,
    },
    async run(target) {
      const control = controlOf(target);
      const given = { topup: 100_000, reserve: -5_000, stripe_fee: -200, adjustment: 7 };
      for (const [kind, amount] of Object.entries(given)) await control('movements', { kind, amount });
      await control('movements', { kind: 'reserve', amount: 1_000 });
      return movements(target);
    },
  },
  {
    name: 'a platform that settles in euros',
    rule: 'settlementCurrency',
    expected: {
      movement: { amount: 9_200, currency: 'eur', exchange_rate: 0.92 },
      dollars: { refused: 'StripeInvalidRequestError', param: 'currency' },
      euros: 'eur',
      refunded: -4_600,
    },
    async run(target) {
      await controlOf(target)('settlement', { currency: 'eur', exchangeRate: 0.92 });
      const account = await target.account();
      const { charge } = await pay(target);
      const read = await target.stripe.charges.retrieve(charge, { expand: ['balance_transaction'] });
      const movement = read.balance_transaction;
      if (movement === null || typeof movement === 'string') throw new Error('has no balance transaction');
      const { amount, currency, exchange_rate } = movement;
      const dollars = await refusal(transfer(target, account, { source_transaction: charge }));
      const euros = await transfer(target, account, { source_transaction: charge, currency: 'eur' });
      const refund = await target.stripe.refunds.create({
        charge,
        amount: 5_000,
        expand: ['balance_transaction'],
      });
      const moved = refund.balance_transaction;
      return {
        movement: { amount, currency, exchange_rate },
        dollars,
        euros: euros.currency,
        refunded: typeof moved === 'object' ? moved?.amount : moved,
      };
    },
  },
];

/** All checks, which run against the sandbox and against Stripe's test mode. */
export const checks: readonly Check[] = [...requests, ...ruleChecks];
