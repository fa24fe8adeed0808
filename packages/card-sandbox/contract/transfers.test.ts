// The rules of connected accounts and of transfers to them, as in `payments.test.ts`.
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { describe } from 'vitest';
import {
  available,
  check,
  pay,
  paySettledAndSweep,
  recipient,
  refusal,
  transfer,
} from '../testing/contract.ts';

function capabilitiesOf(account: Stripe.V2.Core.Account) {
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  return { transfers: balance?.stripe_transfers?.status, payouts: balance?.payouts?.status };
}

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#transfer-availability
describe('A transfer from a charge that has not settled succeeds whatever is available, and its money is available with that of the charge.', () => {
  check(
    'from a charge that has not settled, whatever is available',
    { amount: 10_000, status: 'pending' },
    async (target) => {
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
  );
});

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#transfer-availability
describe('A transfer from a charge that has settled needs available balance, else balance_insufficient.', () => {
  check(
    'from a settled charge whose money was paid out',
    { refused: 'balance_insufficient' },
    async (target) => {
      const account = await target.account();
      const { charge } = await paySettledAndSweep(target);
      return refusal(transfer(target, account, { source_transaction: charge, amount: 9_000 }));
    },
  );
});

// Source: https://docs.stripe.com/api/transfers/create
describe('A transfer without a charge needs available balance, else balance_insufficient.', () => {
  check('without a charge, more than is available', { refused: 'balance_insufficient' }, async (target) => {
    const account = await target.account();
    return refusal(transfer(target, account, { amount: Math.max(0, await available(target)) + 1_000 }));
  });
});

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#transfer-availability
// Untried: Whether a reversed amount can be transferred from the same charge again. Here it can.
describe('The transfers from a charge are at most its amount. Refunds and disputes do not reduce it.', () => {
  check(
    'the cap of a charge after a refund',
    { afterRefund: 10_000, over: { refused: 'StripeInvalidRequestError', param: 'amount' } },
    async (target) => {
      const account = await target.account();
      const { charge } = await pay(target);
      await target.stripe.refunds.create({ charge, amount: 4_000 });
      const { amount } = await transfer(target, account, { source_transaction: charge, amount: 10_000 });
      const over = await refusal(transfer(target, account, { source_transaction: charge, amount: 1 }));
      return { afterRefund: amount, over };
    },
  );
});

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#transfer-options
// Untried: A differing transfer_group in the request. Here it is ignored; Stripe may refuse it.
describe('A transfer from a charge has the transfer_group of the charge. If that has none, both get group_ and the id of the PaymentIntent.', () => {
  check(
    'the group of a charge with one, and without',
    { ofCharge: true, assigned: true, onCharge: true },
    async (target) => {
      const account = await target.account();
      const group = randomUUID();
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
  );

  check(
    'another group than that of the charge is ignored (untried)',
    { isThatOfCharge: true },
    async (target) => {
      const account = await target.account();
      const group = randomUUID();
      const { charge } = await pay(target, 'pm_card_visa', { transfer_group: group });
      const made = await transfer(target, account, { source_transaction: charge, transfer_group: 'other' });
      return { isThatOfCharge: made.transfer_group === group };
    },
  );
});

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#transfer-availability
// Untried: The code, the parameter and the words of the error.
describe('A transfer from a charge is in the currency of the balance transaction of the charge.', () => {
  check('in another currency than that of the charge', { isRefused: true }, async (target) => {
    const account = await target.account();
    const { charge } = await pay(target);
    await refusal(transfer(target, account, { source_transaction: charge, currency: 'eur' }));
    return { isRefused: true };
  });
});

// Source: https://docs.stripe.com/connect/separate-charges-and-transfers#reverse-transfers
// Untried: The code of the error, here balance_insufficient. Connected reserves, which lift the rule, do not exist here.
describe('A reversal needs available balance of the connected account. Pending money does not count.', () => {
  check(
    'the reversal of a transfer whose money is pending',
    { refused: 'balance_insufficient' },
    async (target) => {
      const account = await target.account();
      const { charge } = await pay(target);
      const { id } = await transfer(target, account, { source_transaction: charge, amount: 10_000 });
      const { available: amounts } = await target.stripe.balance.retrieve({}, { stripeAccount: account });
      if ((amounts[0]?.amount ?? 0) >= 10_000) target.skip('the account has other money available');
      return refusal(target.stripe.transfers.createReversal(id));
    },
  );
});

// Source: https://docs.stripe.com/api/v2/core/accounts/object
// Untried: That a failed payout restricts payouts, and what the capability names as its detail.
describe('A recipient has the capabilities stripe_balance.stripe_transfers and stripe_balance.payouts. Only the first is requested.', () => {
  check(
    'a new individual lacks information for both capabilities',
    {
      entity: 'individual',
      status: { transfers: 'restricted', payouts: 'restricted' },
      isAsked: true,
    },
    async ({ stripe }) => {
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
  );

  check(
    'an onboarded account has both capabilities, and each can be taken',
    [
      { transfers: 'active', payouts: 'active' },
      { transfers: 'active', payouts: 'restricted' },
    ],
    async (target) => {
      const { control } = target;
      const account = await target.account();
      const read = async () =>
        capabilitiesOf(
          await target.stripe.v2.core.accounts.retrieve(account, { include: ['configuration.recipient'] }),
        );
      const before = await read();
      await control(`accounts/${account}`, { payouts: { status: 'restricted' } });
      return [before, await read()];
    },
  );
});

// Source: https://docs.stripe.com/api/v2/core/accounts/create
// Untried: Which requirements they have, and the names of the requirements.
describe('Accounts of companies, government entities and non-profits are created as those of individuals are.', () => {
  check('a company', { entity: 'company', isAsked: true }, async ({ stripe }) => {
    const account = await stripe.v2.core.accounts.create(recipient('company'));
    const entries = account.requirements?.entries ?? [];
    return {
      entity: account.identity?.entity_type,
      isAsked: entries.some(({ description }) => description.startsWith('identity.business_details')),
    };
  });
});
