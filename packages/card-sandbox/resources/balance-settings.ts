import type Stripe from 'stripe';
import { z } from 'zod';
import { invalidParameter } from '../api/api-error.ts';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { expand, integer, readParameters } from '../api/parameters.ts';
import type { BalanceSettings } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { platformOf, schedulePayout, settingsOf } from './platform.ts';

/** In which days the money of a charge is available, as Stripe states it for the US. Here it is after the delay. */
const SETTLEMENT_DAYS = 2;

const weekdays = z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']);
/** At Stripe, an empty text unsets a parameter. */
const unset = z.literal('');

const updateParameters = z.strictObject({
  payments: z
    .strictObject({
      payouts: z
        .strictObject({
          minimum_balance_by_currency: z
            .record(z.string().regex(/^[a-z]{3}$/), integer.pipe(z.int().min(0)).or(unset))
            .or(unset)
            .optional(),
          schedule: z
            .strictObject({
              interval: z.enum(['daily', 'manual', 'weekly']).optional(),
              weekly_payout_days: z.array(weekdays).optional(),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  expand,
});

function renderSettings(settings: BalanceSettings): Rendered {
  const { interval, minimumBalances } = settings;
  const rendered: Stripe.BalanceSettings = {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: Object.keys(minimumBalances).length === 0 ? null : minimumBalances,
        schedule: {
          interval,
          ...(interval === 'weekly' && { weekly_payout_days: settings.weeklyPayoutDays }),
        },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: SETTLEMENT_DAYS, start_of_day: null },
    },
  };
  return { ...rendered };
}

function update(store: Store, call: Call): Rendered {
  const { payments = {} } = readParameters(updateParameters, call.parameters);
  const before = settingsOf(store, call.account);
  const { schedule = {}, minimum_balance_by_currency: minimums } = payments.payouts ?? {};
  const interval = schedule.interval ?? before.interval;
  const settings: BalanceSettings = {
    ...before,
    interval,
    weeklyPayoutDays: interval === 'weekly' ? (schedule.weekly_payout_days ?? before.weeklyPayoutDays) : [],
    minimumBalances: minimums === undefined ? before.minimumBalances : withMinimums(before, minimums),
  };
  if (interval === 'weekly' && settings.weeklyPayoutDays.length === 0) {
    const param = 'payments[payouts][schedule][weekly_payout_days]';
    throw invalidParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
  }
  store.put(settings);
  const holder = call.account === null ? platformOf(store) : store.find('account', call.account);
  if (holder !== undefined) schedulePayout(store, holder, Date.now() + store.terms.delay);
  return renderSettings(settings);
}

function withMinimums(
  { minimumBalances }: BalanceSettings,
  given: '' | Record<string, number | ''>,
): Record<string, number> {
  if (given === '') return {};
  const merged: [string, number | ''][] = Object.entries({ ...minimumBalances, ...given });
  return Object.fromEntries(merged.filter((entry): entry is [string, number] => entry[1] !== ''));
}

function retrieve(store: Store, call: Call): Rendered {
  readParameters(z.strictObject({ expand }), call.parameters);
  return renderSettings(settingsOf(store, call.account));
}

export const balanceSettingsEndpoints: Endpoint[] = [
  { method: 'GET', path: '/v1/balance_settings', allowsAccount: true, handle: retrieve },
  { method: 'POST', path: '/v1/balance_settings', allowsAccount: true, handle: update },
];
