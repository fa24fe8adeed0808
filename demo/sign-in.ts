import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import { createClient, Problem } from '#contract/client.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { readVerificationToken } from './verification-email.ts';

const Session = z.object({ idToken: z.string() });

/** How many times a sign-in is retried after a 429 of the identity provider. */
const PATIENCE = 5;

/** The URLs of the shop and its identity provider. */
export interface Place {
  /** The origin of the shop, without a trailing slash. */
  readonly origin: string;
  /** The URL of the identity provider, without a trailing slash. */
  readonly identityUrl: string;
  /** The mail catcher. Without it, the addresses of new accounts stay unverified. */
  readonly inboxUrl?: string;
}

interface Account {
  readonly name: string;
  readonly email: string;
}

/** The cookies by which the identity provider recognizes the browser that registered an account. */
const deviceToken = randomBytes(32).toString('base64url');

async function ask(url: string, body: unknown): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'device-token': deviceToken },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status !== 429 || attempt === PATIENCE) return answer;
    await answer.arrayBuffer();
    await pause(1000 * Math.max(1, Number(answer.headers.get('retry-after') ?? 1)));
  }
}

async function problemOf(answer: Response): Promise<Problem> {
  const document = ProblemDocument.safeParse(await answer.json().catch(() => null));
  const detail = 'The identity provider answered in a way that is not understood.';
  return new Problem(document.data ?? { status: answer.status, code: 'internal', detail });
}

/** A session at the identity provider. Disposing of it signs out, which revokes its tokens. */
export interface SignedIn extends AsyncDisposable {
  readonly idToken: string;
}

/**
 * Signs somebody up, or in when the account exists. A new account's address is proven by the letter in the mail
 * catcher, where there is one.
 * @throws Error when the mail catcher does not answer; Problem `invalid_credential` when the account has another password by now, `user_disabled` when it ended
 */
export async function signIn(place: Place, account: Account, password: string): Promise<SignedIn> {
  const { name, email } = account;
  let answer = await ask(`${place.identityUrl}/sign-up/email`, { name, email, password });
  // 409: an account with this address exists.
  const isNew = answer.status !== 409;
  if (!isNew) answer = await ask(`${place.identityUrl}/sign-in/email`, { email, password });
  if (!answer.ok) throw await problemOf(answer);
  let { idToken } = Session.parse(await answer.json());
  const sessionToken = answer.headers.get('set-auth-token');
  // Not for an account that another process registered: verification from another browser removes its password.
  const token =
    isNew && place.inboxUrl !== undefined ? await readVerificationToken(place.inboxUrl, email) : null;
  if (token !== null) {
    const proven = await ask(`${place.identityUrl}/email/verify`, { token });
    if (!proven.ok) throw await problemOf(proven);
    const renewed = await fetch(`${place.identityUrl}/token`, {
      headers: { authorization: `Bearer ${sessionToken}` },
      signal: AbortSignal.timeout(30_000),
    });
    if (!renewed.ok) throw await problemOf(renewed);
    ({ idToken } = Session.parse(await renewed.json()));
  }
  return {
    idToken,
    // Otherwise the account page would list this process as a device.
    async [Symbol.asyncDispose]() {
      const left = await fetch(`${place.identityUrl}/sign-out`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}` },
        signal: AbortSignal.timeout(30_000),
      });
      if (!left.ok) throw await problemOf(left);
    },
  };
}

/** Creates an API client with or without a token. */
export function callsOf({ origin }: Place, token: string | null) {
  return createClient({ base: `${origin}/api`, fetch, token: () => token });
}

/** Exchanges an ID token for the shop's token. @throws Problem `not_allowed` without a user record */
export async function shopToken(place: Place, account: Account, idToken: string): Promise<string> {
  const answer = await callsOf(place, idToken).call(exchangeToken, { query: { email: account.email } });
  return answer.coomercioToken;
}

/** Creates the user record of the signed-in account, unless it exists. @throws Problem */
export async function register(
  place: Place,
  { name, email }: Account,
  role: 'Buyer' | 'Seller',
  idToken: string,
): Promise<void> {
  await callsOf(place, idToken).call(registerUser, { body: { name, email, role } });
}
