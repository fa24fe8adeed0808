import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountStore } from '../accounts/account-store.ts';
import { emailInBody } from '../input.ts';
import { BASE_PATH } from '../options.ts';

/** The requests that authenticate, change a sign-in method or end a session, with the value of `attempt` in the log. */
const loggedRequests: Readonly<Record<string, string>> = {
  'POST /sign-up/email': 'sign-up',
  'POST /sign-in/email': 'password',
  'POST /sign-in/again': 'password',
  'GET /callback/google': 'google',
  'POST /sign-in/code': 'authenticator-code',
  'POST /sign-in/passkey': 'passkey',
  'POST /email/verify': 'address-proof',
  'POST /password/reset-letter': 'reset-letter',
  'POST /password/reset': 'reset',
  'POST /password/change': 'password-change',
  'POST /totp': 'authenticator-set-up',
  'POST /totp/confirm': 'authenticator-added',
  'POST /totp/remove': 'authenticator-removed',
  'POST /recovery-codes': 'recovery-codes-replaced',
  'POST /passkeys/options': 'passkey-set-up',
  'POST /passkeys': 'passkey-added',
  'POST /passkeys/:id/remove': 'passkey-removed',
  'POST /sign-out': 'session-ended',
  'DELETE /sessions': 'session-ended',
  'DELETE /sessions/:id': 'session-ended',
  'POST /admin/disable': 'account-disabled',
  'POST /admin/reset-second-factor': 'second-factor-reset',
};

/** Fields of a log line. */
interface Entry {
  attempt: string;
  /** A refusal's code, or `ok`. */
  outcome: string;
  /** The user id. The request is answered after the shop was notified of ended sessions of this user. */
  account: string;
}

const entries = new WeakMap<FastifyRequest, Partial<Entry>>();

/** Sets fields of the request's line in the sign-in log, if it gets one. */
export function setLogFields(request: FastifyRequest, fields: Partial<Entry>): void {
  entries.set(request, { ...entries.get(request), ...fields });
}

/** Returns the account of a request; undefined while no handler has named it. */
export const accountOf = (request: FastifyRequest): string | undefined => entries.get(request)?.account;

/** The log levels at which `info` lines are written. */
const infoLevels = new Set(['trace', 'debug', 'info']);

/**
 * Logs one line for each of these requests to a scope: the request, its outcome, and the account's id if there is an
 * account. Never an address, a name or other input.
 */
export function writeSignInLog(scope: FastifyInstance, accounts: AccountStore): void {
  async function findAccountByInput(request: FastifyRequest): Promise<string | null> {
    const email = emailInBody(request);
    if (email === undefined) return null;
    const user = await accounts.findUser({ email }).catch((error: unknown) => {
      request.log.warn({ err: error }, 'The account for the sign-in log could not be looked up');
      return null;
    });
    return user?.id ?? null;
  }

  // After the response: the lookup must not make responses for known addresses slower.
  scope.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url?.slice(BASE_PATH.length) ?? '';
    const attempt = loggedRequests[`${request.method} ${path}`];
    if (attempt === undefined || !infoLevels.has(request.log.level)) return;
    const account = entries.get(request)?.account ?? (await findAccountByInput(request));
    const outcome = reply.statusCode < 400 ? 'ok' : String(reply.statusCode);
    request.log.info({ attempt, outcome, ...entries.get(request), account }, 'attempt');
  });
}
