import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { refusals } from '#contract/identity/refusals.ts';
import type { AccountStore } from './accounts/account-store.ts';
import type { SignInMethods } from './accounts/sign-in-methods.ts';
import type { SecondFactorStore } from './second-factor/store.ts';
import { amrOfPath } from './sessions/session.ts';
import type { SessionStore } from './sessions/session-store.ts';

/**
 * Creates the hooks that better-auth runs when it stores an account or a session. Linking Google removes every
 * unverified sign-in method. A session is `due` (its second factor is pending) when the account has one. It ends
 * at once when the account is disabled or the sign-in method was concurrently removed.
 * @param parts.onSignIn called after each completed sign-in
 * @param parts.onGoogleLinked called when Google was added to an account that has another way to sign in
 */
export function createBetterAuthHooks(parts: {
  accounts: AccountStore;
  sessions: SessionStore;
  signInMethods: SignInMethods;
  secondFactorStore: SecondFactorStore;
  onSignIn(userId: string, userAgent: string): Promise<void>;
  onGoogleLinked(userId: string): Promise<void>;
}): NonNullable<BetterAuthOptions['databaseHooks']> {
  const { accounts, sessions, signInMethods, secondFactorStore, onSignIn, onGoogleLinked } = parts;
  return {
    account: {
      create: {
        async before(account) {
          if (account.providerId !== 'google') return;
          await signInMethods.removeUnverified(account.userId);
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
        async after(account) {
          if (account.providerId !== 'google') return;
          const providers = await accounts.listSignInProviders(account.userId);
          if (providers.length > 1) await onGoogleLinked(account.userId);
        },
      },
    },
    session: {
      create: {
        async before(session, context) {
          const presetMethods = typeof session.methods === 'string' ? session.methods : '';
          const methods = presetMethods === '' ? amrOfPath(context?.path) : presetMethods;
          const due =
            !methods.split(' ').includes('mfa') && (await secondFactorStore.hasSecondFactor(session.userId));
          return { data: { ...session, methods, due } };
        },
        async after(session, context) {
          const user = await accounts.findUser({ id: session.userId });
          const providers = await accounts.listSignInProviders(session.userId);
          const lacks = (provider: string) => providers.every(({ providerId }) => providerId !== provider);
          const isMethodRemoved =
            (context?.path === '/sign-in/email' && lacks('credential')) ||
            (amrOfPath(context?.path) === 'fed' && lacks('google'));
          if (user !== null && !user.disabled && !isMethodRemoved) {
            await sessions.endExcess(session.userId, session.due === true);
            if (session.due !== true) await onSignIn(session.userId, session.userAgent ?? '');
            return;
          }
          await sessions.end(session.userId, session.id);
          const code = user?.disabled ? 'user_disabled' : 'session_ended';
          throw new APIError('FORBIDDEN', { code, message: refusals[code].detail });
        },
      },
    },
  };
}
