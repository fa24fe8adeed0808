import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { closeAccount, completeOnboarding, putAccount, resumePayouts } from '../resources/account-state.ts';
import { bankAccounts } from '../resources/bank-accounts.ts';
import { applyVerdict, openDispute, reinstate, type Verdict } from '../resources/disputes.ts';
import { warnAbout } from '../resources/early-fraud-warnings.ts';
import { platformOf } from '../resources/platform.ts';
import { moveBalance, movementSchema } from '../resources/platform-movements.ts';
import type { Account, Dispute, RecordOf } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

const bankAccount = z
  .string()
  .refine((number) => bankAccounts.has(number), 'There is no such test bank account.');

const capability = z.strictObject({
  status: z.enum(['active', 'pending', 'rejected', 'restricted', 'unsupported']),
  detail: z.strictObject({ code: z.string(), resolution: z.string() }).nullable().default(null),
});

const accountSchema = z.strictObject({
  /** Completes the onboarding page. */
  onboarding: z
    .strictObject({
      outcome: z.enum(['pass', 'ask', 'refuse']),
      bankAccount: bankAccount.default('000123456789'),
    })
    .optional(),
  transfers: capability.optional(),
  payouts: capability.optional(),
  requirements: z
    .array(
      z.strictObject({
        path: z.string(),
        deadline: z.enum(['past_due', 'currently_due', 'eventually_due']).default('currently_due'),
        awaiting: z.enum(['user', 'stripe']).default('user'),
        error: z.strictObject({ code: z.string(), description: z.string() }).nullable().default(null),
      }),
    )
    .optional(),
  closed: z.literal(true).optional(),
});

const settlementSchema = z.strictObject({
  currency: z.string().regex(/^[a-z]{3}$/),
  /** How many units of the currency one unit of a payment's is worth. */
  exchangeRate: z.number().positive().default(1),
});

const chargeSchema = z.strictObject({
  dispute: z.enum(['chargeback', 'inquiry']).optional(),
  /** Stripe's type of fraud. */
  earlyFraudWarning: z.string().optional(),
});

const disputeSchema = z.strictObject({ outcome: z.enum(['won', 'lost', 'escalated']) });

function changeAccount(store: Store, account: Account, given: z.output<typeof accountSchema>): void {
  if (given.onboarding !== undefined) {
    completeOnboarding(store, account, given.onboarding.outcome, given.onboarding.bankAccount);
  }
  const current = store.find('account', account.id) ?? account;
  const { transfers, payouts, requirements } = given;
  const changed = putAccount(store, null, {
    ...current,
    ...(transfers !== undefined && { transfers }),
    ...(payouts !== undefined && { payouts }),
    ...(requirements !== undefined && { requirements }),
  });
  if (payouts?.status === 'active') resumePayouts(store, changed);
  if (given.closed === true) closeAccount(store, store.find('account', account.id) ?? changed);
}

/** @throws {RangeError} if the dispute is closed for good */
function decide(store: Store, dispute: Dispute, outcome: Verdict): void {
  const isClosed = ['won', 'lost', 'warning_closed'].includes(dispute.status);
  if (!isClosed) applyVerdict(store, null, dispute, outcome);
  else if (dispute.status === 'lost' && outcome === 'won') reinstate(store, dispute);
  else throw new RangeError('A closed dispute changes only from lost to won.');
}

/** Serves the routes with which tests do what Stripe, a bank or an operator would do to accounts, payments and the balance. */
export function serveChanges(
  app: FastifyInstance,
  { store, afterCall }: { store: Store; afterCall(): void },
): void {
  function serve<K extends 'account' | 'charge' | 'dispute', S extends z.ZodType>(
    kind: K,
    schema: S,
    change: (record: RecordOf<K>, given: z.output<S>) => void,
  ): void {
    app.post<{ Params: { id: string } }>(`/sandbox/${kind}s/:id`, async (request, reply) => {
      const given = schema.parse(request.body);
      const { id } = request.params;
      const record = store.find(kind, id);
      if (record === undefined) return reply.code(404).send({ error: `There is no such ${kind}.` });
      store.run(() => change(record, given));
      afterCall();
      return { id };
    });
  }

  serve('account', accountSchema, (account, given) => changeAccount(store, account, given));
  serve('charge', chargeSchema, (charge, { dispute, earlyFraudWarning }) => {
    if (earlyFraudWarning !== undefined) warnAbout(store, charge, earlyFraudWarning);
    if (dispute !== undefined) openDispute(store, charge, dispute);
  });
  serve('dispute', disputeSchema, (dispute, { outcome }) => decide(store, dispute, outcome));

  app.post('/sandbox/movements', async (request) => {
    const given = movementSchema.parse(request.body);
    const id = store.run(() => moveBalance(store, given));
    afterCall();
    return { id };
  });

  app.post('/sandbox/settlement', async (request) => {
    const given = settlementSchema.parse(request.body);
    store.run(() => store.put({ ...platformOf(store), ...given }));
    return given;
  });
}
