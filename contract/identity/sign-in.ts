import * as z from 'zod/mini';
import { identityEndpoint } from './endpoint.ts';
import {
  atMost,
  Base64url,
  CodeBody,
  confirmedByPassword,
  existingPassword,
  IssuedToken,
  Name,
  NewPassword,
  NewSession,
  PasskeyOptions,
  passkeyCredential,
  SignInResult,
  StrictEmail,
  Success,
} from './schemas.ts';

export const signUp = identityEndpoint({
  method: 'POST',
  path: '/sign-up/email',
  access: 'none',
  summary: 'Creates an account with a password and sends an email to verify its address',
  body: z.object({ email: StrictEmail, password: NewPassword, name: z._default(Name, '') }),
  response: NewSession,
});

export const signIn = identityEndpoint({
  method: 'POST',
  path: '/sign-in/email',
  access: 'none',
  summary: 'Signs in with a password',
  body: z.object({ email: StrictEmail, password: existingPassword('Password is required') }),
  response: SignInResult,
});

export const continueSignIn = identityEndpoint({
  method: 'POST',
  path: '/sign-in/continue',
  access: 'session',
  summary: 'Completes a sign-in with the session that the Google window returned',
  response: SignInResult,
});

export const signInWithCode = identityEndpoint({
  method: 'POST',
  path: '/sign-in/code',
  access: 'challenge',
  summary: 'Completes a sign-in with a code of an authenticator app or a recovery code',
  body: CodeBody,
  response: NewSession,
});

export const readSignInPasskeyOptions = identityEndpoint({
  method: 'POST',
  path: '/sign-in/passkey/options',
  access: 'optional-challenge',
  summary:
    'Returns the options for signing in with a passkey: of the challenged account, or of any account without a challenge',
  response: PasskeyOptions,
});

export const signInWithPasskey = identityEndpoint({
  method: 'POST',
  path: '/sign-in/passkey',
  access: 'optional-challenge',
  summary: 'Completes a sign-in with a passkey, or signs in with the passkey alone',
  body: z.object({
    response: passkeyCredential({
      authenticatorData: Base64url,
      signature: Base64url,
      userHandle: z.optional(z.nullable(z.string().check(atMost(200, 'This is too long')))),
    }),
  }),
  response: NewSession,
});

export const reauthenticate = identityEndpoint({
  ...confirmedByPassword,
  path: '/sign-in/again',
  summary: 'Confirms the password and replaces the session with a new one',
  response: NewSession,
});

export const signOut = identityEndpoint({
  method: 'POST',
  path: '/sign-out',
  access: 'session',
  summary: 'Ends the session',
  response: Success,
});

export const issueIdToken = identityEndpoint({
  method: 'GET',
  path: '/token',
  access: 'session',
  summary: 'Issues an ID token',
  response: IssuedToken,
});
