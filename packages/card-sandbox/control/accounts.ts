import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { closeAccount, completeOnboarding, putAccount, resumePayouts } from '../resources/account-state.ts';
import { bankAccounts } from '../resources/bank-accounts.ts';
import type { Account } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

const bankAccount = z
  .string()
  .refine((number) => bankAccounts.has(number), 'There is no such test bank account.');

const capability = z.strictObject({
  status: z.enum(['active', 'pending', 'rejected', 'restricted', 'unsupported']),
  detail: z.strictObject({ code: z.string(), resolution: z.string() }).nullable().default(null),
});

const changeSchema = z.strictObject({
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

function change(store: Store, account: Account, given: z.output<typeof changeSchema>): void {
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

/** Serves the route with which tests change an account as Stripe would. */
export function serveAccountControl(
  app: FastifyInstance,
  { store, afterCall }: { store: Store; afterCall(): void },
): void {
  app.post<{ Params: { id: string } }>('/sandbox/accounts/:id', async (request, reply) => {
    const given = changeSchema.parse(request.body);
    const account = store.find('account', request.params.id);
    if (account === undefined) return reply.code(404).send({ error: 'There is no such account.' });
    store.run(() => change(store, account, given));
    afterCall();
    return { id: account.id };
  });
}
