import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Store } from './accounts/account-store.ts';
import type { SignInMethods } from './accounts/sign-in-methods.ts';
import { refusals } from './refusals.ts';
import type { Factors } from './second-factor/codes.ts';
import { methodsOf } from './sessions/session.ts';

/**
 * What happens when better-auth stores an account or a session: Google's proof of an address removes what was not
 * proven; a session waits for its second factor, and does not stand when its account or sign-in method is gone.
 * @param parts.onSignIn told of each sign-in that is complete
 */
export function databaseHooks(parts: {
  store: Store;
  methods: SignInMethods;
  factors: Factors;
  onSignIn(userId: string, userAgent: string): Promise<void>;
}): NonNullable<BetterAuthOptions['databaseHooks']> {
  const { store, methods, factors, onSignIn } = parts;
  return {
    account: {
      create: {
        async before(account) {
          if (account.providerId !== 'google') return;
          await methods.removeUnproven(account.userId);
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
    session: {
      create: {
        async before(session, context) {
          const given = typeof session.methods === 'string' ? session.methods : '';
          const shown = given === '' ? methodsOf(context?.path) : given;
          const due = !shown.split(' ').includes('mfa') && (await factors.isOn(session.userId));
          return { data: { ...session, methods: shown, due } };
        },
        async after(session, context) {
          const standing = await store.standing(session.userId);
          const isMethodGone =
            (context?.path === '/sign-in/email' && standing?.hasPassword !== true) ||
            (methodsOf(context?.path) === 'fed' && standing?.hasGoogle !== true);
          if (standing !== null && !standing.disabled && !isMethodGone) {
            if (session.due !== true) await onSignIn(session.userId, session.userAgent ?? '');
            return;
          }
          await store.endSession(session.userId, session.id);
          const code = standing?.disabled ? 'user_disabled' : 'session_ended';
          throw new APIError('FORBIDDEN', { code, message: refusals[code].detail });
        },
      },
    },
  };
}
