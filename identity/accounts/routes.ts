import type { FastifyInstance } from 'fastify';
import {
  changePassword,
  readAccount,
  resetPassword,
  sendPasswordReset,
  sendVerification,
  verifyEmail,
} from '#contract/identity/account.ts';
import { parse } from '../input.ts';
import { identifyClient } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import { serve } from '../serve.ts';
import type { RequestHelpers } from '../sessions/request-helpers.ts';
import { setLogFields } from '../sign-in-log/sign-in-log.ts';

/** The same for a known and an unknown address, so that the answer does not tell them apart. */
const resetRequestedMessage =
  'If an account has this address, an email with a link is on its way to it. Links that were sent within the past hour work as well.';

/** Routes of the signed-in account: its address, its password, its sign-in methods. */
export function accountRoutes(provider: Identity, requests: RequestHelpers) {
  const { accounts, knownClients, signInMethods, links, passwordHashing, secondFactorStore } = provider;

  function requireMail(): void {
    if (!provider.sendsMail) throw new Refusal('mail_unavailable');
  }

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, readAccount, async (request) => {
      const { user } = await requests.requireSession(request);
      const [{ totp, recoveryCodesLeft }, passkeys, hash] = await Promise.all([
        secondFactorStore.summarize(user.id),
        secondFactorStore.listPasskeys(user.id),
        accounts.findPasswordHash({ id: user.id }),
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
      const { user } = await requests.requireSession(request);
      if (user.emailVerified) throw new Refusal('already_set_up', 'Your address is confirmed already.');
      if (!(await provider.requestEmail('verify-email', user.email, null))) {
        throw new Refusal(
          'too_many_requests',
          'An email was sent a moment ago. Please look for it, also in the spam folder, before you request another.',
          null,
          { retryAfter: 60 },
        );
      }
      return { success: true as const };
    });

    serve(scope, verifyEmail, async (request) => {
      const { token } = parse(verifyEmail.body, request.body);
      const userId = await links.consume('verify-email', token);
      if (userId === null) throw new Refusal('link_spent');
      setLogFields(request, { account: userId });
      // Somebody else may have registered with this address and set up sign-in methods before its owner verified it.
      const keepMethods = await knownClients.isRegistrationDevice(userId, identifyClient(request));
      const removed = await signInMethods.verifyEmail(userId, { keepMethods });
      return {
        success: true as const,
        passwordToken: removed ? await links.issue('reset-password', userId) : null,
      };
    });

    serve(scope, sendPasswordReset, async (request) => {
      requireMail();
      const { email } = parse(sendPasswordReset.body, request.body);
      const client = identifyClient(request);
      const { kind } = await knownClients.recognize({ email }, client);
      await provider.requestEmail('reset-password', email, kind === 'unknown' ? client.network : null);
      return { success: true as const, message: resetRequestedMessage };
    });

    serve(scope, resetPassword, async (request) => {
      const { token, password } = parse(resetPassword.body, request.body);
      const owner = await links.findOwner('reset-password', token);
      const person = owner === null ? null : await accounts.findUser({ id: owner });
      if (person === null) throw new Refusal('link_spent');
      setLogFields(request, { account: person.id });
      // Checked before the link is consumed, so that it still works after a refusal.
      await provider.checkPassword(password, person);
      const hash = await passwordHashing.hash(password);
      if ((await links.consume('reset-password', token)) === null) throw new Refusal('link_spent');
      await signInMethods.resetPassword(person.id, hash);
      await knownClients.add(person.id, identifyClient(request));
      await provider.sendNotice('password-changed', person.id);
      return { success: true as const };
    });

    serve(scope, changePassword, async (request) => {
      const { user, session } = await requests.requireSession(request);
      const { currentPassword, password } = parse(changePassword.body, request.body);
      const currentHash = await accounts.findPasswordHash({ id: user.id });
      if (currentHash === null) {
        throw new Refusal('not_found', 'This account has no password; it signs in with Google.');
      }
      await provider.limitAttempts(user.id, { sessionId: session.id }, async () => {
        if (!(await passwordHashing.verify({ hash: currentHash, password: currentPassword }))) {
          const sentence = 'This is not your present password';
          throw new Refusal('invalid_credential', `${sentence}.`, { currentPassword: sentence });
        }
      });
      await provider.checkPassword(password, user);
      const hash = await passwordHashing.hash(password);
      if (!(await signInMethods.changePassword(user.id, hash, session.id)))
        throw new Refusal('session_ended');
      await provider.sendNotice('password-changed', user.id);
      return { success: true as const };
    });
  };
}
