import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/people/accounts.ts';
import type { RenderedEmail } from '#emails/email.ts';
import type { Context } from '#server/platform/context.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import { removeCompletedJobs } from '#server/platform/jobs/queue.ts';
import { toEmailShop } from '../email-shop.ts';
import * as actions from './actions.ts';
import { backChannelLogout, removeExpiredSessionRecords } from './back-channel-logout.ts';
import type { IdentityVerifier } from './identity-verifier.ts';
import { takeWaitingName } from './name-store.ts';
import { deletionNotice } from './notification-texts.ts';
import { deletionNoticeDue, disableIdentity, eraseIdentity } from './steps.ts';
import type { Tokens } from './tokens.ts';

/** Routes for token exchange, registration, roles and a seller's status. */
function accountRoutes(
  serve: Serve,
  {
    database,
    tokens,
    cache,
    removeSavedSearches,
    shop,
  }: Pick<AccountsOptions, 'database' | 'tokens' | 'cache' | 'removeSavedSearches' | 'shop'>,
): void {
  serve(contract.exchangeToken, async ({ caller, query }) => ({
    coomercioToken: await actions.exchangeToken(database, tokens, caller, query.email, removeSavedSearches),
  }));

  serve(contract.registerUser, async ({ caller, body }) => {
    const insertedId = await actions.register(database, caller, body, shop().name);
    return insertedId === null
      ? { acknowledged: false, message: 'User already sign in' }
      : { acknowledged: true, insertedId };
  });

  serve(contract.renameUser, async ({ caller, body }) => {
    const outcome = await actions.rename(database, caller, body.name, shop().name);
    await cache.waitForInvalidation();
    return { ...modified(outcome === 'renamed'), ...(outcome === 'waits' && { waits: true as const }) };
  });

  serve(contract.readOwnName, ({ caller }) => actions.readOwnName(database, caller));

  serve(contract.withdrawName, async ({ caller }) => ({
    acknowledged: true,
    deletedCount: (await takeWaitingName(database, { user_id: caller.userId })) === undefined ? 0 : 1,
  }));

  serve(contract.addRole, async ({ caller, body }) => {
    const isNew = await actions.addRole(database, caller, body.role);
    await cache.waitForInvalidation();
    return modified(isNew);
  });

  serve(contract.isAdmin, async ({ caller, params }) => ({
    isAdmin: await actions.hasRole(database, caller, params.email, 'Admin'),
    ...(caller.secondFactorDue && { secondFactorDue: true as const }),
  }));
  serve(contract.readOwnRights, async ({ caller: { isOwner, areas } }) => ({ isOwner, areas: [...areas] }));
  serve(contract.isBuyer, async ({ caller, params }) => ({
    isBuyer: await actions.hasRole(database, caller, params.email, 'Buyer'),
  }));
  serve(contract.isSeller, async ({ caller, params }) => ({
    isSeller: await actions.hasRole(database, caller, params.email, 'Seller'),
  }));

  serve(contract.sellerStatus, async ({ params }) => ({
    status: await actions.sellerStatus(database, params.email),
  }));
}

export interface AccountsOptions extends Context {
  tokens: Tokens;
  identityProvider: IdentityVerifier;
  removeSavedSearches(this: void, transaction: Transaction, userId: string): Promise<void>;
  /** Administration of sign-ins at the identity provider; null for an external one. */
  signIns: {
    /** Disables the sign-in with this address permanently. */
    disable(email: string): Promise<unknown>;
    /** Deletes it, so that the address can register again. @param madeBefore ISO 8601; a later sign-in is kept */
    erase(email: string, madeBefore?: string): Promise<unknown>;
  } | null;
  emailSender: { send(email: RenderedEmail & { id: string }): Promise<unknown> };
}

/** Users and roles: routes, back-channel logout, jobs that end sign-ins. */
export async function accountsPlugin(app: FastifyInstance, options: AccountsOptions): Promise<void> {
  const { api, work, database, signIns, emailSender, shop, origin } = options;
  await registerCalls(app, api, (serve) => accountRoutes(serve, options));
  await app.register(backChannelLogout, options);

  work.handle(disableIdentity, ({ email }) => signIns?.disable(email));
  work.handle(eraseIdentity, ({ email, endedAt }) => signIns?.erase(email, endedAt));
  work.handle(deletionNoticeDue, async ({ email }, id) => {
    await emailSender.send({ ...deletionNotice(email, origin, toEmailShop(shop())), id });
  });

  work.sweep('records of ended sessions could not be removed', () => removeExpiredSessionRecords(database));
  work.sweep('addresses of ended accounts could not be removed from the queue', () =>
    removeCompletedJobs(database, [disableIdentity, eraseIdentity, deletionNoticeDue]),
  );
}
