import type Stripe from 'stripe';
import { z } from 'zod';
import { invalidParameter } from '../api/api-error.ts';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { expand, flag, integer, readParameters, text } from '../api/parameters.ts';
import type { BalanceSettings } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { platformOf, schedulePayout, settingsOf } from './platform.ts';

/** In which days the money of a charge is available, as Stripe states it for the US. Here it is after the delay. */
const SETTLEMENT_DAYS = 2;

const weekdays = z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']);
const day = integer.pipe(z.int().min(1).max(31));
/** At Stripe, an empty text unsets a parameter. */
const unset = z.literal('');

const updateParameters = z.strictObject({
  payments: z
    .strictObject({
      debit_negative_balances: flag.optional(),
      payouts: z
        .strictObject({
          minimum_balance_by_currency: z
            .record(z.string().regex(/^[a-z]{3}$/), integer.pipe(z.int().min(0)).or(unset))
            .or(unset)
            .optional(),
          schedule: z
            .strictObject({
              interval: z.enum(['daily', 'manual', 'monthly', 'weekly']).optional(),
              monthly_payout_days: z.array(day).optional(),
              weekly_payout_days: z.array(weekdays).optional(),
            })
            .optional(),
          statement_descriptor: text.optional(),
        })
        .optional(),
      settlement_timing: z.strictObject({ delay_days_override: day.or(unset).optional() }).optional(),
    })
    .optional(),
  expand,
});

function renderSettings(settings: BalanceSettings): Rendered {
  const { interval, delayDaysOverride, minimumBalances } = settings;
  const rendered: Stripe.BalanceSettings = {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: settings.debitNegativeBalances,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: Object.keys(minimumBalances).length === 0 ? null : minimumBalances,
        schedule: {
          interval,
          ...(interval === 'monthly' && { monthly_payout_days: settings.monthlyPayoutDays }),
          ...(interval === 'weekly' && { weekly_payout_days: settings.weeklyPayoutDays }),
        },
        statement_descriptor: settings.statementDescriptor,
        status: 'enabled',
      },
      settlement_timing: {
        delay_days: delayDaysOverride ?? SETTLEMENT_DAYS,
        ...(delayDaysOverride !== null && { delay_days_override: delayDaysOverride }),
        start_of_day: null,
      },
    },
  };
  return { ...rendered };
}

function update(store: Store, call: Call): Rendered {
  const { payments = {} } = readParameters(updateParameters, call.parameters);
  const before = settingsOf(store, call.account);
  const { schedule = {}, ...payouts } = payments.payouts ?? {};
  const minimums = payouts.minimum_balance_by_currency;
  const override = payments.settlement_timing?.delay_days_override;
  const interval = schedule.interval ?? before.interval;
  const settings: BalanceSettings = {
    ...before,
    interval,
    weeklyPayoutDays: interval === 'weekly' ? (schedule.weekly_payout_days ?? before.weeklyPayoutDays) : [],
    monthlyPayoutDays:
      interval === 'monthly' ? (schedule.monthly_payout_days ?? before.monthlyPayoutDays) : [],
    minimumBalances: minimums === undefined ? before.minimumBalances : withMinimums(before, minimums),
    delayDaysOverride: override === undefined ? before.delayDaysOverride : override || null,
    debitNegativeBalances: payments.debit_negative_balances ?? before.debitNegativeBalances,
    statementDescriptor: payouts.statement_descriptor ?? before.statementDescriptor,
  };
  for (const kind of ['weekly', 'monthly'] as const) {
    if (interval === kind && settings[`${kind}PayoutDays`].length === 0) {
      const param = `payments[payouts][schedule][${kind}_payout_days]`;
      throw invalidParameter(param, `Missing required param: ${param}.`, 'parameter_missing');
    }
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

export function balanceSettingsEndpoints(store: Store): Endpoint[] {
  const path = '/v1/balance_settings';
  const retrieve = (call: Call) => {
    readParameters(z.strictObject({ expand }), call.parameters);
    return renderSettings(settingsOf(store, call.account));
  };
  return [
    { method: 'GET', path, allowsAccount: true, handle: retrieve },
    { method: 'POST', path, allowsAccount: true, handle: (call) => update(store, call) },
  ];
}
