import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod/mini';
import { codeAt, timeStepAt } from '../second-factor/totp.ts';
import { createAuthenticator } from './authenticator.ts';
import { decodeBase32 } from './authenticator-app.ts';
import { PASSWORD, type RunningProvider, startProvider } from './provider.ts';

export const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string(), email: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
export const PendingSignIn = z.object({
  secondFactor: z.object({ challenge: z.string(), methods: z.array(z.string()) }),
});
const Problem = z.object({ code: z.string() });
export const PasskeyOptions = z.object({ challenge: z.string() });

export let provider: RunningProvider;
let people = 0;

/** Starts a provider for the tests of a file. */
export function setUpProvider(): void {
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.stop());
}

export const codeOf = async (answer: Response) => Problem.parse(await answer.json()).code;
export const post = (path: string, token: string | null, body: unknown = {}) =>
  provider.call('POST', path, { body, ...(token === null ? {} : { token }) });
export const amrOf = (idToken: string) => decodeJwt(idToken).amr;

export async function signUp() {
  const email = `careful${++people}@mail.example`;
  const answer = await post('/sign-up/email', null, { email, password: PASSWORD });
  return SessionResponse.parse(await answer.json());
}
export const signIn = (email: string) => post('/sign-in/email', null, { email, password: PASSWORD });
export const startSignIn = async (email: string) =>
  PendingSignIn.parse(await (await signIn(email)).json()).secondFactor;

/** Creates an account with an authenticator app. `nextCode` returns an unused code of the current or next period. */
export async function signUpWithApp() {
  const person = await signUp();
  const begun = await post('/totp', person.sessionToken, { password: PASSWORD });
  const { secret } = z.object({ secret: z.string() }).parse(await begun.json());
  const key = decodeBase32(secret);
  const previousStep = () => timeStepAt(Date.now()) - 1;
  let step = previousStep();
  const confirm = () => post('/totp/confirm', person.sessionToken, { code: codeAt(key, step) });
  let confirmed = await confirm();
  // The code has expired when a period ended meanwhile.
  if (confirmed.status !== 200 && step !== previousStep()) {
    step = previousStep();
    confirmed = await confirm();
  }
  expect(confirmed.status).toBe(200);
  const signed = SessionResponse.parse(await confirmed.json());
  return {
    ...signed,
    old: person.sessionToken,
    usedCode: codeAt(key, step),
    recoveryCodes: signed.recoveryCodes ?? [],
    nextCode: () => {
      step += 1;
      return codeAt(key, step);
    },
  };
}

export async function addPasskey(sessionToken: string, overrides = {}) {
  const device = createAuthenticator(provider.origin);
  const asked = await post('/passkeys/options', sessionToken, { password: PASSWORD });
  const options = PasskeyOptions.parse(await asked.json());
  const answer = await post('/passkeys', sessionToken, {
    name: 'My phone',
    response: device.create(options, overrides),
  });
  return { device, options, answer };
}
