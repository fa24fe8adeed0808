// The form of the requests that the shop sends.
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { check, disputesOf, pay, recipient, refusal, transfer } from '../testing/contract.ts';

check(
  'a payment intent keeps what the shop sends',
  {
    status: 'requires_payment_method',
    payment_method_types: ['card'],
    transfer_group: 'order_1',
    metadata: { bookingId: 'b1' },
    receipt_email: 'buyer@example.com',
    statement_descriptor_suffix: 'LAPTOP 7',
    shipping: { name: 'Ada Buyer', address: { city: 'Berlin', country: 'DE' } },
    hasSecret: true,
  },
  async ({ stripe }) => {
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
);

check(
  'a customer is created with an id of the shop, named, and pays',
  {
    created: { name: null, email: null, metadata: { buyerId: 'b1' } },
    named: { name: 'Ada Buyer', email: 'ada@example.com', phone: '+49 30 1234567' },
    later: { name: 'Ada Buyer', email: null },
    isOfPayment: [true, true],
    expanded: 'Ada Buyer',
  },
  async ({ stripe }) => {
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
);

check(
  'a charge names its balance transaction with fee and currency',
  { status: 'succeeded', amount: 10_000, currency: 'usd', type: 'charge', netIsLess: true },
  async (target) => {
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
);

check(
  'an intent is canceled once',
  { status: 'canceled', again: { refused: 'payment_intent_unexpected_state' } },
  async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    const { status } = await stripe.paymentIntents.cancel(id);
    return { status, again: await refusal(stripe.paymentIntents.cancel(id)) };
  },
);

check('an unknown intent', { refused: 'resource_missing', param: 'intent' }, ({ stripe }) =>
  refusal(stripe.paymentIntents.retrieve('pi_unknown')),
);

check('an amount below the minimum', { refused: 'amount_too_small', param: 'amount' }, ({ stripe }) =>
  refusal(stripe.paymentIntents.create({ amount: 49, currency: 'usd' })),
);

check('a declined card', { refused: 'card_declined' }, (target) =>
  refusal(pay(target, 'pm_card_chargeDeclined')),
);

check(
  'a refund in parts, and one too many',
  {
    statuses: ['succeeded', 'succeeded'],
    over: { refused: 'charge_already_refunded' },
    listed: 2,
  },
  async (target) => {
    const { stripe } = target;
    const { intent } = await pay(target);
    const refund = (amount: number) =>
      stripe.refunds.create({ payment_intent: intent, amount, metadata: { reference: 'r' } });
    const made = [await refund(4_000), await refund(6_000)];
    const over = await refusal(refund(1));
    const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
    return { statuses: made.map(({ status }) => status), over, listed: data.length };
  },
);

check(
  'a disputed charge cannot be refunded',
  { status: 'needs_response', amount: 10_000, refund: { refused: 'charge_disputed' } },
  async (target) => {
    const { intent } = await pay(target, 'pm_card_createDispute');
    const [listed] = await disputesOf(target, intent);
    const { status, amount } = await target.stripe.disputes.retrieve(listed?.id ?? '');
    const refund = await refusal(target.stripe.refunds.create({ payment_intent: intent }));
    return { status, amount, refund };
  },
);

check(
  'an onboarding link, and an unknown account',
  { link: true, unknown: { refused: 'not_found' } },
  async ({ stripe }) => {
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
);

check(
  'a transfer is found by its group and by its destination, and reversed in part',
  { metadata: { reference: 'first' }, byGroup: 1, byDestination: true, reversed: 400, listed: 1 },
  async (target) => {
    const { stripe } = target;
    const account = await target.account();
    const group = randomUUID();
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
);

check(
  'movements are listed by time, with their source',
  { object: 'charge', category: 'charge' },
  async (target) => {
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
);

check(
  'the payouts of a connected account',
  { isList: true, unknown: { refused: 'resource_missing', param: 'payout' } },
  async (target) => {
    const stripeAccount = await target.account();
    const { data } = await target.stripe.payouts.list({ limit: 10 }, { stripeAccount });
    const unknown = await refusal(target.stripe.payouts.retrieve('po_unknown', {}, { stripeAccount }));
    return { isList: Array.isArray(data), unknown };
  },
);
