import type { FastifyRequest } from 'fastify';
import { PasswordConfirmation } from '#contract/identity/schemas.ts';
import { parse } from '../input.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import type { UserSession } from './session.ts';

/** For an account without a password, a session of at most this age replaces the password. */
const RECENT_SIGN_IN_MINUTES = 10;

/**
 * Requires the password in the request's body before a change of the sign-in methods. An account without a password must
 * have signed in within the last {@link RECENT_SIGN_IN_MINUTES} minutes instead.
 * @returns which of the two was satisfied
 * @throws Refusal `invalid_credential`, `reauthentication_required`, `too_many_requests`
 */
export async function requireReauthentication(
  provider: Identity,
  request: FastifyRequest,
  { user, session }: UserSession,
): Promise<'password' | 'recent-sign-in'> {
  const hash = await provider.accounts.findPasswordHash({ id: user.id });
  if (hash === null) {
    if (Date.now() - session.createdAt.getTime() > RECENT_SIGN_IN_MINUTES * 60_000) {
      throw new Refusal('reauthentication_required');
    }
    return 'recent-sign-in';
  }
  const { password } = parse(PasswordConfirmation, request.body ?? {});
  if (password === undefined) {
    throw new Refusal('invalid_input', 'Your password is required', {
      password: 'Your password is required',
    });
  }
  await provider.limitAttempts(user.id, { sessionId: session.id }, async () => {
    if (!(await provider.passwordHashing.verify({ hash, password }))) {
      const sentence = 'This is not your password';
      throw new Refusal('invalid_credential', `${sentence}.`, { password: sentence });
    }
  });
  return 'password';
}
