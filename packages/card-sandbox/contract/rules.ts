/** A rule of Stripe's that the sandbox keeps. */
type Rule = {
  rule: string;
  /** Stripe's page about it. */
  source: string;
  /** Where the source says nothing, so that the sandbox may differ from Stripe. None of it was tried at Stripe. */
  untried?: string;
};

const transfers = 'https://docs.stripe.com/connect/separate-charges-and-transfers';

/**
 * The rules behind the objects, in one list. Each is documented by its source except for what `untried` says. The checks of
 * `checks.ts` name the rule that they check.
 */
export const rules = {
  unsettledSource: {
    rule: 'A transfer from a charge that has not settled succeeds whatever is available, and its money is available with that of the charge.',
    source: `${transfers}#transfer-availability`,
  },
  settledSource: {
    rule: 'A transfer from a charge that has settled needs available balance, else balance_insufficient.',
    source: `${transfers}#transfer-availability`,
  },
  transferBalance: {
    rule: 'A transfer without a charge needs available balance, else balance_insufficient.',
    source: 'https://docs.stripe.com/api/transfers/create',
  },
  sourceCap: {
    rule: 'The transfers from a charge are at most its amount. Refunds and disputes do not reduce it.',
    source: `${transfers}#transfer-availability`,
    untried: 'Whether a reversed amount can be transferred from the same charge again. Here it can.',
  },
  transferGroup: {
    rule: 'A transfer from a charge has the transfer_group of the charge. If that has none, both get group_ and the id of the PaymentIntent.',
    source: `${transfers}#transfer-options`,
    untried: 'A differing transfer_group in the request. Here it is ignored; Stripe may refuse it.',
  },
  transferCurrency: {
    rule: 'A transfer from a charge is in the currency of the balance transaction of the charge.',
    source: `${transfers}#transfer-availability`,
    untried: 'The code, the parameter and the words of the error.',
  },
  reversalBalance: {
    rule: 'A reversal needs available balance of the connected account. Pending money does not count.',
    source: `${transfers}#reverse-transfers`,
    untried:
      'The code of the error, here balance_insufficient. Connected reserves, which lift the rule, do not exist here.',
  },
  platformPayouts: {
    rule: 'The available balance of the platform is paid out to its bank every day, unless its schedule says otherwise.',
    source: 'https://docs.stripe.com/payouts#payout-schedule',
    untried: 'Here every schedule but manual pays out once the delay of the sandbox has passed.',
  },
  balanceSettings: {
    rule: 'balance_settings reads and changes the schedule and the minimum balances, also of a connected account.',
    source: 'https://docs.stripe.com/api/balance-settings',
  },
  eventDestinations: {
    rule: 'An event destination gets the types that it names, from the accounts that it names. Its events are signed with its own secret, which only the response to its creation has, and only when that is asked for.',
    source: 'https://docs.stripe.com/api/v2/core/event-destinations/create',
    untried:
      'Which of the two scopes has the thin events about accounts; here a destination needs both. The code of the error for a 17th destination. Stripe refuses addresses that are not public, which are the only ones here.',
  },
  minimumBalance: {
    rule: 'Automatic payouts leave the minimum balance.',
    source: 'https://docs.stripe.com/payouts/minimum-balances-for-automatic-payouts',
  },
  refundBalance: {
    rule: 'A refund of a settled charge that the available balance does not cover is pending with insufficient_funds, and continues once there is enough.',
    source: 'https://docs.stripe.com/refunds',
    untried:
      'Stripe debits some accounts’ banks instead; here it never does. That balance_transaction is null meanwhile.',
  },
  refundUnsettled: {
    rule: 'A refund of a charge that has not settled succeeds, and takes pending money.',
    source: 'https://docs.stripe.com/refunds',
    untried:
      'The page speaks of the available balance only; charge_pending may apply. In test mode such refunds are known to succeed.',
  },
  pendingRefundDisputed: {
    rule: 'A refund that lacks funds fails with charge_for_pending_refund_disputed when its charge is disputed.',
    source:
      'https://support.stripe.com/questions/pending-refunds-due-to-insufficient-funds-or-stripe-balance',
    untried: 'The order of the events.',
  },
  capabilities: {
    rule: 'A recipient has the capabilities stripe_balance.stripe_transfers and stripe_balance.payouts. Only the first is requested.',
    source: 'https://docs.stripe.com/api/v2/core/accounts/object',
    untried: 'That a failed payout restricts payouts, and what the capability names as its detail.',
  },
  companies: {
    rule: 'Accounts of companies, government entities and non-profits are created as those of individuals are.',
    source: 'https://docs.stripe.com/api/v2/core/accounts/create',
    untried: 'Which requirements they have, and the names of the requirements.',
  },
  earlyFraudWarnings: {
    rule: 'A card issuer’s warning is a radar.early_fraud_warning, which moves no money, with the event created. The card 4000 0000 0000 5423 causes one.',
    source: 'https://docs.stripe.com/api/radar/early_fraud_warnings',
  },
  disputedRefund: {
    rule: 'A wholly refunded charge can be disputed.',
    source: 'https://docs.stripe.com/disputes/how-disputes-work',
    untried:
      'https://docs.stripe.com/refunds says that this is not possible for cards; issuers are reported to do it. Here the amount is the whole charge.',
  },
  reinstatement: {
    rule: 'A lost dispute can be won later: its money returns with charge.dispute.funds_reinstated.',
    source: 'https://docs.stripe.com/api/events/types#event_types-charge.dispute.funds_reinstated',
    untried: 'That its status then is won, and that charge.dispute.updated comes first.',
  },
  chargeUpdated: {
    rule: 'charge.updated follows a payment, because its balance transaction is created after it.',
    source: 'https://docs.stripe.com/payments/payment-intents/asynchronous-capture',
    untried: 'How long Stripe takes. Here the balance transaction exists at once.',
  },
  reportingCategories: {
    rule: 'Reserves are reserved_funds in the category connect_reserved_funds, top-ups topup, Stripe’s own fees stripe_fee in the category fee.',
    source: 'https://docs.stripe.com/reports/reporting-categories',
    untried: 'That reserves and fees have no source.',
  },
  settlementCurrency: {
    rule: 'A payment in another currency than the account’s has a balance transaction in the account’s currency, with exchange_rate.',
    source: 'https://docs.stripe.com/currencies/conversions',
    untried: 'Here a refund uses the rate of its charge, and conversion costs nothing.',
  },
  customers: {
    rule: 'The customer of a payment exists and is not deleted. A deleted one can be retrieved, with its id and deleted, and nothing else can be done with it.',
    source: 'https://docs.stripe.com/api/customers/delete',
    untried:
      'That an update, a deletion and a payment of a deleted one are refused with resource_missing, as of one that never existed.',
  },
  customerLengths: {
    rule: 'A phone of a customer has at most 20 characters, a name 256, an email 512. An empty text unsets one.',
    source: 'https://docs.stripe.com/api/customers/create',
    untried: 'The lengths are those of https://github.com/stripe/openapi; the page does not have them all.',
  },
  descriptorSuffix: {
    rule: 'A statement_descriptor_suffix has a letter, at most 22 characters and none of < > \\ \' " *.',
    source: 'https://docs.stripe.com/get-started/account/statement-descriptors',
  },
  cardOnly: {
    rule: 'allowed_payment_method_types restricts a payment to cards. payment_method_types is refused since version 2026-09-30.endive.',
    source: 'https://docs.stripe.com/api/payment_intents/create',
    untried: 'The code of the refusal.',
  },
  unknownParameter: {
    rule: 'A parameter that does not exist is refused with parameter_unknown.',
    source: 'https://docs.stripe.com/error-codes#parameter-unknown',
  },
  idempotency: {
    rule: 'A key repeats the first answer, and refuses other parameters.',
    source: 'https://docs.stripe.com/api/idempotent_requests',
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
