import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Store } from '../accounts/account-store.ts';
import { BASE_PATH } from '../provider.ts';
import { typedEmail } from '../rate-limits/rate-limits.ts';

/** Requests by which somebody shows who they are, changes how, or ends having shown it, and what the log calls them. */
const attempts: Readonly<Record<string, string>> = {
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

/** What is found out about an attempt on its way. */
interface Known {
  attempt: string;
  /** A refusal's code, or `ok`. */
  outcome: string;
  /** Whose account it is about. */
  account: string;
}

const known = new WeakMap<FastifyRequest, Partial<Known>>();

/** Notes what the log is to say about a request, should it be an attempt. */
export function note(request: FastifyRequest, what: Partial<Known>): void {
  known.set(request, { ...known.get(request), ...what });
}

/** The levels at which these lines are written. */
const written = new Set(['trace', 'debug', 'info']);

/**
 * Writes a line for each attempt on a scope of the provider's endpoints: what, with which outcome, and the account's
 * id where there is one. Never an address, a name or anything that was typed.
 */
export function logAttempts(scope: FastifyInstance, store: Store): void {
  /** Looked up only after the answer, which must not take longer for an address that somebody has. */
  async function ownerOfTypedAddress(request: FastifyRequest): Promise<string | null> {
    const email = typedEmail(request);
    if (email === undefined) return null;
    return store.userOf(email).catch((error: unknown) => {
      request.log.warn({ err: error }, 'Whose account an attempt was about could not be found out');
      return null;
    });
  }

  scope.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url?.slice(BASE_PATH.length) ?? '';
    const attempt = attempts[`${request.method} ${path}`];
    if (attempt === undefined || !written.has(request.log.level)) return;
    const account = known.get(request)?.account ?? (await ownerOfTypedAddress(request));
    const outcome = reply.statusCode < 400 ? 'ok' : String(reply.statusCode);
    request.log.info({ attempt, outcome, ...known.get(request), account }, 'attempt');
  });
}
