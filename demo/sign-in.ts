import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import { createClient, Problem } from '#contract/client.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { readProofToken } from './prove-address.ts';

const Session = z.object({ idToken: z.string() });

/** How often a sign-in is tried again when the identity provider says that there were too many. */
const PATIENCE = 5;

/** Where the shop and its identity provider are. */
export interface Place {
  /** The shop's own, without a slash at the end. */
  readonly origin: string;
  /** The identity provider's, without a slash at the end. */
  readonly identityUrl: string;
  /** The mail catcher's; without it the addresses of new accounts stay unproven. */
  readonly inboxUrl?: string;
}

interface Account {
  readonly name: string;
  readonly email: string;
}

/** By which the identity provider recognizes this process as the browser that registered an account. */
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

/** A session at the identity provider; disposing of it signs out, and every token of it stops working. */
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
  // 409: there is an account with this address.
  const isNew = answer.status !== 409;
  if (!isNew) answer = await ask(`${place.identityUrl}/sign-in/email`, { email, password });
  if (!answer.ok) throw await problemOf(answer);
  let { idToken } = Session.parse(await answer.json());
  const sessionToken = answer.headers.get('set-auth-token');
  // Not for an account that another process has registered: a proof from elsewhere would remove its password.
  const token = isNew && place.inboxUrl !== undefined ? await readProofToken(place.inboxUrl, email) : null;
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
    // Or somebody would find a device on the account page that is not theirs.
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

/** Calls of the shop with a token, or without. */
export function callsOf({ origin }: Place, token: string | null) {
  return createClient({ base: `${origin}/api`, fetch, token: () => token });
}

/** The shop's own token of somebody with a user record. @throws Problem `not_allowed` without one */
export async function shopToken(place: Place, account: Account, idToken: string): Promise<string> {
  const answer = await callsOf(place, idToken).call(exchangeToken, { query: { email: account.email } });
  return answer.coomercioToken;
}

/** Makes the user record of somebody who is signed in, unless there is one. @throws Problem */
export async function register(
  place: Place,
  { name, email }: Account,
  role: 'Buyer' | 'Seller',
  idToken: string,
): Promise<void> {
  await callsOf(place, idToken).call(registerUser, { body: { name, email, role } });
}
