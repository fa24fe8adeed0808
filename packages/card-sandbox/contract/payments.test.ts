// The rules of payments, refunds and disputes, each with Stripe’s page about it. Where the page says nothing, the sandbox may differ from
// Stripe: nothing of what is untried was tried at Stripe.
import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { check, disputesOf, eventsOf, pay, paySettledAndSweep, refusal } from '../testing/contract.ts';

// Source: https://docs.stripe.com/api/payment_intents/create
// Untried: The code of the refusal.
describe('allowed_payment_method_types restricts a payment to cards. payment_method_types is refused since version 2026-09-30.endive.', () => {
  check(
    'the former parameter of payment methods',
    { param: 'payment_method_types', allowed: ['card'] },
    async ({ stripe }) => {
      const parameters = { amount: 500, currency: 'usd' };
      const former = { ...parameters, payment_method_types: ['card'] };
      const { param } = await refusal(stripe.rawRequest('POST', '/v1/payment_intents', former));
      const intent = await stripe.paymentIntents.create({
        ...parameters,
        allowed_payment_method_types: ['card'],
      });
      return { param, allowed: intent.allowed_payment_method_types };
    },
  );
});

// Source: https://docs.stripe.com/error-codes#parameter-unknown
describe('A parameter that does not exist is refused with parameter_unknown.', () => {
  check('an unknown parameter', { refused: 'parameter_unknown', param: 'colour' }, ({ stripe }) =>
    refusal(
      stripe.rawRequest('POST', '/v1/payment_intents', { amount: 500, currency: 'usd', colour: 'red' }),
    ),
  );
});

// Source: https://docs.stripe.com/api/idempotent_requests
describe('A key repeats the first answer, and refuses other parameters.', () => {
  check(
    'a key with the same and with other parameters',
    { same: true, other: { refused: 'StripeIdempotencyError' } },
    async ({ stripe }) => {
      const options = { idempotencyKey: randomUUID() };
      const create = (amount: number) => stripe.paymentIntents.create({ amount, currency: 'usd' }, options);
      const first = await create(500);
      const second = await create(500);
      return { same: first.id === second.id, other: await refusal(create(600)) };
    },
  );
});

// Source: https://docs.stripe.com/api/customers/delete
// Untried: That an update, a deletion and a payment of a deleted one are refused with resource_missing, as of one that never
// existed.
describe('The customer of a payment exists and is not deleted. A deleted one can be retrieved, with its id and deleted, and nothing else can be done with it.', () => {
  check(
    'a deleted customer',
    {
      answer: { deleted: true },
      retrieved: { object: 'customer', deleted: true },
      pays: { refused: 'resource_missing', param: 'customer' },
      isUpdated: 'resource_missing',
      isDeletedAgain: 'resource_missing',
      isUnknown: 'resource_missing',
    },
    async ({ stripe }) => {
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
  );
});

// Source: https://docs.stripe.com/api/customers/create
// Untried: The lengths are those of https://github.com/stripe/openapi; the page does not have them all.
describe('A phone of a customer has at most 20 characters, a name 256, an email 512. An empty text unsets one.', () => {
  check('a telephone number of more than 20 characters', { param: 'phone' }, async ({ stripe }) => {
    const { param } = await refusal(stripe.customers.create({ phone: '+49 30 1234567 ext. 89' }));
    return { param };
  });
});

// Source: https://docs.stripe.com/get-started/account/statement-descriptors
describe('A statement_descriptor_suffix has a letter, at most 22 characters and none of < > \\ \' " *.', () => {
  check('a descriptor suffix without a letter', { isRefused: true }, async ({ stripe }) => {
    const parameters = { amount: 500, currency: 'usd', statement_descriptor_suffix: '123' } as const;
    const { param } = await refusal(stripe.paymentIntents.create(parameters));
    return { isRefused: param === 'statement_descriptor_suffix' };
  });
});

// Source: https://docs.stripe.com/payments/payment-intents/asynchronous-capture
// Untried: How long Stripe takes. Here the balance transaction exists at once.
describe('charge.updated follows a payment, because its balance transaction is created after it.', () => {
  check(
    'a payment is followed by charge.updated',
    ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded', 'charge.updated'],
    async (target) => {
      const { control } = target;
      const { intent } = await pay(target);
      return eventsOf({ control }, intent);
    },
  );
});

// Source: https://docs.stripe.com/refunds
// Untried: The page speaks of the available balance only; charge_pending may apply. In test mode such refunds are known to
// succeed.
describe('A refund of a charge that has not settled succeeds, and takes pending money.', () => {
  check('a refund of a charge that has not settled', { status: 'succeeded' }, async (target) => {
    const { charge } = await pay(target);
    const { status } = await target.stripe.refunds.create({ charge });
    return { status };
  });
});

// Source: https://docs.stripe.com/refunds
// Untried: Stripe debits some accounts’ banks instead; here it never does. That balance_transaction is null meanwhile.
describe('A refund of a settled charge that the available balance does not cover is pending with insufficient_funds, and continues once there is enough.', () => {
  check(
    'a refund that the available balance does not cover',
    { status: 'pending', reason: 'insufficient_funds' },
    async (target) => {
      const { charge } = await paySettledAndSweep(target);
      const { status, pending_reason: reason } = await target.stripe.refunds.create({ charge });
      return { status, reason };
    },
  );

  check(
    'a refund that lacks funds continues with the next money',
    { before: 'pending', after: 'succeeded', moved: -10_000, events: ['refund.updated'] },
    async (target) => {
      const { control } = target;
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
  );
});

// Source: https://support.stripe.com/questions/pending-refunds-due-to-insufficient-funds-or-stripe-balance
// Untried: The order of the events.
describe('A refund that lacks funds fails with charge_for_pending_refund_disputed when its charge is disputed.', () => {
  check(
    'a refund that lacks funds fails when its charge is disputed',
    { status: 'failed', reason: 'charge_for_pending_refund_disputed', disputed: 10_000 },
    async (target) => {
      const { control } = target;
      const { charge, intent } = await paySettledAndSweep(target);
      const { id } = await target.stripe.refunds.create({ charge });
      await control(`charges/${charge}`, { dispute: 'chargeback' });
      const { status, failure_reason: reason } = await target.stripe.refunds.retrieve(id);
      const [dispute] = await disputesOf(target, intent);
      return { status, reason, disputed: dispute?.amount };
    },
  );
});

// Source: https://docs.stripe.com/api/radar/early_fraud_warnings
describe('A card issuer’s warning is a radar.early_fraud_warning, which moves no money, with the event created. The card 4000 0000 0000 5423 causes one.', () => {
  check('a warning about a payment', { actionable: [true, false], isOfIntent: true }, async (target) => {
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
  });
});

// Source: https://docs.stripe.com/disputes/how-disputes-work
// Untried: https://docs.stripe.com/refunds says that this is not possible for cards; issuers are reported to do it. Here the
// amount is the whole charge.
describe('A wholly refunded charge can be disputed.', () => {
  check(
    'a wholly refunded charge is disputed',
    { amount: 10_000, status: 'needs_response' },
    async (target) => {
      const { control } = target;
      const { charge, intent } = await pay(target);
      await target.stripe.refunds.create({ charge });
      await control(`charges/${charge}`, { dispute: 'chargeback' });
      const [dispute] = await disputesOf(target, intent);
      return { amount: dispute?.amount, status: dispute?.status };
    },
  );
});

// Source: https://docs.stripe.com/api/events/types#event_types-charge.dispute.funds_reinstated
// Untried: That its status then is won, and that charge.dispute.updated comes first.
describe('A lost dispute can be won later: its money returns with charge.dispute.funds_reinstated.', () => {
  check(
    'a lost dispute is won later',
    {
      statuses: ['lost', 'won'],
      events: ['charge.dispute.closed', 'charge.dispute.updated', 'charge.dispute.funds_reinstated'],
      sum: 0,
    },
    async (target) => {
      const { control } = target;
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
  );
});
