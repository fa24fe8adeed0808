import type { FastifyInstance } from 'fastify';
import {
  changePassword,
  readAccount,
  resetPassword,
  sendPasswordReset,
  sendVerification,
  verifyEmail,
} from '#contract/identity.ts';
import { parse } from './input.ts';
import { clientOf } from './known-clients/known-clients.ts';
import type { Identity } from './provider.ts';
import { Refusal } from './refusals.ts';
import { serve } from './serve.ts';
import type { Desk } from './sessions/request-helpers.ts';
import { note } from './sign-in-log/sign-in-log.ts';

/** The same for a known and an unknown address, so that the answer does not tell them apart. */
const sentIfKnown =
  'If there is an account with this address, a letter is on its way to it. A letter of the past hour works as well.';

/** Routes of the signed-in account: its address, its password, its sign-in methods. */
export function accountRoutes(provider: Identity, desk: Desk) {
  const { store, clients, methods, letters, passwordHashing } = provider;

  function requireMail(): void {
    if (!provider.sendsMail) throw new Refusal('mail_unavailable');
  }

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, readAccount, async (request) => {
      const { user } = await desk.sessionOf(request);
      const [{ totp, recoveryCodesLeft }, passkeys, hash] = await Promise.all([
        provider.factorStore.overview(user.id),
        provider.factorStore.passkeysOf(user.id),
        store.passwordOf({ id: user.id }),
      ]);
      return {
        email: user.email,
        emailVerified: user.emailVerified,
        sendsMail: provider.sendsMail,
        hasPassword: hash !== null,
        totp,
        recoveryCodesLeft,
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
      };
    });

    serve(scope, sendVerification, async (request) => {
      requireMail();
      const { user } = await desk.sessionOf(request);
      if (user.emailVerified) throw new Refusal('already_set_up', 'Your address is confirmed already.');
      if (!(await provider.order('verify-email', user.email, null))) {
        throw new Refusal(
          'too_many_requests',
          'A letter was sent just now. Please look for it, also among spam, before asking for another.',
          null,
          { retryAfter: 60 },
        );
      }
      return { success: true as const };
    });

    serve(scope, verifyEmail, async (request) => {
      const { token } = parse(verifyEmail.body, request.body);
      const userId = await letters.use('verify-email', token);
      if (userId === null) throw new Refusal('link_spent');
      note(request, { account: userId });
      // Somebody else may have registered with this address and set up sign-in methods before its owner verified it.
      const keepMethods = await clients.hasRegistered(userId, clientOf(request));
      const removed = await methods.proveAddress(userId, { keepMethods });
      return {
        success: true as const,
        passwordToken: removed ? await letters.issue('reset-password', userId) : null,
      };
    });

    serve(scope, sendPasswordReset, async (request) => {
      requireMail();
      const { email } = parse(sendPasswordReset.body, request.body);
      const client = clientOf(request);
      const { kind } = await clients.recognize({ email }, client);
      await provider.order('reset-password', email, kind === 'unknown' ? client.network : null);
      return { success: true as const, message: sentIfKnown };
    });

    serve(scope, resetPassword, async (request) => {
      const { token, password } = parse(resetPassword.body, request.body);
      const owner = await letters.ownerOf('reset-password', token);
      const person = owner === null ? null : await store.personOf(owner);
      if (person === null) throw new Refusal('link_spent');
      note(request, { account: person.id });
      // Checked before the link is spent, so that another password can be chosen after a refusal.
      await provider.checkPassword(password, person);
      const hash = await passwordHashing.hash(password);
      if ((await letters.use('reset-password', token)) === null) throw new Refusal('link_spent');
      await methods.resetPassword(person.id, hash);
      await clients.remember(person.id, clientOf(request));
      await provider.note('password-changed', person.id);
      return { success: true as const };
    });

    serve(scope, changePassword, async (request) => {
      const { user, session } = await desk.sessionOf(request);
      const { currentPassword, password } = parse(changePassword.body, request.body);
      const present = await store.passwordOf({ id: user.id });
      if (present === null) {
        throw new Refusal('not_found', 'This account has no password; it signs in with Google.');
      }
      await provider.factors.guardAttempt(user.id, { sessionId: session.id }, async () => {
        if (!(await passwordHashing.verify({ hash: present, password: currentPassword }))) {
          const sentence = 'This is not your present password';
          throw new Refusal('invalid_credential', `${sentence}.`, { currentPassword: sentence });
        }
      });
      await provider.checkPassword(password, user);
      const hash = await passwordHashing.hash(password);
      if (!(await methods.changePassword(user.id, hash, session.id))) throw new Refusal('session_ended');
      await provider.note('password-changed', user.id);
      return { success: true as const };
    });
  };
}
