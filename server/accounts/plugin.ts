import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import type { Work } from '../jobs/work.ts';
import { backChannelLogout, removeExpiredSessionRecords } from './back-channel-logout.ts';
import type { IdentityVerifier } from './identity-verifier.ts';
import { accountRoutes } from './routes.ts';
import { disableIdentity, eraseIdentity } from './steps.ts';
import type { Tokens } from './tokens.ts';

const SWEEP_INTERVAL_MS = 10 * 60_000;

export interface AccountsOptions {
  api: Api;
  work: Work;
  database: Database;
  tokens: Tokens;
  identityProvider: IdentityVerifier;
  /** Administration of sign-ins at the identity provider; null for an external one. */
  signIns: {
    /** Disables the sign-in with this address permanently. */
    disable(email: string): Promise<unknown>;
    /** Deletes it, so that the address can register again. @param madeBefore ISO 8601; a later sign-in is kept */
    erase(email: string, madeBefore?: string): Promise<unknown>;
  } | null;
}

/** Users and roles: routes, back-channel logout, jobs that end sign-ins. */
export async function accountsPlugin(app: FastifyInstance, options: AccountsOptions): Promise<void> {
  const { api, work, database, signIns } = options;
  await registerCalls(app, api, (serve) => accountRoutes(serve, options));
  await app.register(backChannelLogout, options);

  work.handle(disableIdentity, ({ email }) => signIns?.disable(email));
  work.handle(eraseIdentity, ({ email, endedAt }) => signIns?.erase(email, endedAt));

  work.every(
    SWEEP_INTERVAL_MS,
    () => removeExpiredSessionRecords(database),
    (error) => app.log.warn({ err: error }, 'records of ended sessions could not be removed'),
  );
}
