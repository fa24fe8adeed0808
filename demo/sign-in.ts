import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import { createClient, Problem } from '#contract/client.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { readVerificationToken } from './verification-email.ts';

const Session = z.object({ idToken: z.string() });

/** How many times a request is sent while the identity provider answers 429. */
const MAXIMUM_ATTEMPTS = 5;

/** The URLs of the shop and its identity provider. */
export interface ShopUrls {
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

/** By this token the identity provider recognizes the device that registered an account. */
const deviceToken = randomBytes(32).toString('base64url');

async function postJson(url: string, body: unknown): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'device-token': deviceToken },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.status !== 429 || attempt === MAXIMUM_ATTEMPTS) return response;
    await response.arrayBuffer();
    await pause(1000 * Math.max(1, Number(response.headers.get('retry-after') ?? 1)));
  }
}

async function readProblem(response: Response): Promise<Problem> {
  const document = ProblemDocument.safeParse(await response.json().catch(() => null));
  const detail = 'The identity provider answered in a way that is not understood.';
  return new Problem(document.data ?? { status: response.status, code: 'internal', detail });
}

/** A session at the identity provider. Disposing of it signs out, which revokes its tokens. */
export interface DemoSession extends AsyncDisposable {
  readonly idToken: string;
}

/**
 * Registers an account, or signs in if it exists. Verifies the address of a new account with the link in its e-mail, if
 * there is a mail catcher.
 * @throws Error if the mail catcher does not respond; Problem `invalid_credential` if the account has another password,
 * `user_disabled` if it was deleted
 */
export async function signIn(urls: ShopUrls, account: Account, password: string): Promise<DemoSession> {
  const { name, email } = account;
  let response = await postJson(`${urls.identityUrl}/sign-up/email`, { name, email, password });
  // 409: an account with this address exists.
  const isNew = response.status !== 409;
  if (!isNew) response = await postJson(`${urls.identityUrl}/sign-in/email`, { email, password });
  if (!response.ok) throw await readProblem(response);
  let { idToken } = Session.parse(await response.json());
  const sessionToken = response.headers.get('set-auth-token');
  // Not for an account that another process registered: verification from another browser removes its password.
  const token =
    isNew && urls.inboxUrl !== undefined ? await readVerificationToken(urls.inboxUrl, email) : null;
  if (token !== null) {
    const verified = await postJson(`${urls.identityUrl}/email/verify`, { token });
    if (!verified.ok) throw await readProblem(verified);
    const renewed = await fetch(`${urls.identityUrl}/token`, {
      headers: { authorization: `Bearer ${sessionToken}` },
      signal: AbortSignal.timeout(30_000),
    });
    if (!renewed.ok) throw await readProblem(renewed);
    ({ idToken } = Session.parse(await renewed.json()));
  }
  return {
    idToken,
    // Otherwise the account page would list this process as a device.
    async [Symbol.asyncDispose]() {
      const signedOut = await fetch(`${urls.identityUrl}/sign-out`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}` },
        signal: AbortSignal.timeout(30_000),
      });
      if (!signedOut.ok) throw await readProblem(signedOut);
    },
  };
}

/** Creates an API client with or without a token. */
export function createShopClient({ origin }: ShopUrls, token: string | null) {
  return createClient({ base: `${origin}/api`, fetch, token: () => token });
}

/** Exchanges an ID token for the shop's token. @throws Problem `not_allowed` without a user record */
export async function exchangeForShopToken(
  urls: ShopUrls,
  account: Account,
  idToken: string,
): Promise<string> {
  const response = await createShopClient(urls, idToken).call(exchangeToken, {
    query: { email: account.email },
  });
  return response.coomercioToken;
}

/** Creates the user record of the signed-in account, unless it exists. @throws Problem */
export async function createUserRecord(
  urls: ShopUrls,
  { name, email }: Account,
  role: 'Buyer' | 'Seller',
  idToken: string,
): Promise<void> {
  await createShopClient(urls, idToken).call(registerUser, { body: { name, email, role } });
}
