import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { verifyEmail } from '#contract/identity/account.ts';
import { issueIdToken, signIn as passwordSignIn, signOut, signUp } from '#contract/identity/sign-in.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { createClient, Problem } from '#contract/platform/client.ts';

/** How many times a request is sent while the identity provider answers 429. */
const MAXIMUM_ATTEMPTS = 5;

/** The URLs of the shop and of its mail catcher. */
export interface ShopUrls {
  /** The origin of the shop, without a trailing slash. */
  readonly origin: string;
  /** The mail catcher. Without it, the addresses of new accounts stay unverified. */
  readonly inboxUrl?: string;
}

interface Account {
  readonly name: string;
  readonly email: string;
}

/** By this token the identity provider recognizes the device that registered an account. */
const deviceToken = randomBytes(32).toString('base64url');

/** Sends a request, and repeats it while the identity provider answers 429. Each attempt may take 30 s. */
async function fetchWithRetries(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('device-token', deviceToken);
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(30_000) });
    if (response.status !== 429 || attempt === MAXIMUM_ATTEMPTS) return response;
    await response.arrayBuffer();
    await pause(1000 * Math.max(1, Number(response.headers.get('retry-after') ?? 1)));
  }
}

function createIdentityClient(urls: ShopUrls, token: string | null) {
  return createClient({
    base: `${urls.origin}/identity`,
    fetch: fetchWithRetries,
    token: () => token,
    messages: {
      unreachable: 'The identity provider cannot be reached.',
      timeout: 'The identity provider takes too long to answer.',
      unexpected: 'The identity provider answered in a way that is not understood.',
    },
  });
}

/** The mail catcher's list, newest first. */
const Messages = z.array(z.object({ text: z.nullable(z.string()) }));

/**
 * Returns the token of the link in a verification email; null if none has arrived.
 * @param inboxUrl the URL of the mail catcher, which responds once an email has arrived, at the latest after 10 s
 * @throws Error if the mail catcher does not respond
 */
async function readVerificationToken(inboxUrl: string, email: string): Promise<string | null> {
  const query = new URLSearchParams({ to: email, atLeast: '1' });
  const response = await fetch(new URL(`/messages.json?${query}`, inboxUrl), {
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`The mail catcher answered ${response.status}.`);
  for (const { text } of Messages.parse(await response.json())) {
    const token = /\/verify-email#([\w-]+)/.exec(text ?? '')?.[1];
    if (token !== undefined) return token;
  }
  return null;
}

/** A session at the identity provider. Disposing of it signs out, which revokes its tokens. */
export interface DemoSession extends AsyncDisposable {
  readonly idToken: string;
}

/**
 * Registers an account, or signs in if it exists. Verifies the address of a new account with the link in its email, if
 * there is a mail catcher.
 * @throws Error if the mail catcher does not respond; Problem `invalid_credential` if the account has another password,
 * `user_disabled` if it was deleted
 */
export async function signIn(urls: ShopUrls, account: Account, password: string): Promise<DemoSession> {
  const { name, email } = account;
  const visitor = createIdentityClient(urls, null);
  const registered = await visitor
    .call(signUp, { body: { name, email, password } })
    .catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'email_already_in_use') return null;
      throw error;
    });
  const session = registered ?? (await visitor.call(passwordSignIn, { body: { email, password } }));
  if ('secondFactor' in session) throw new Error(`${email} requires a second factor.`);
  const client = createIdentityClient(urls, session.sessionToken);
  // Not for an account that another process registered: verification from another browser removes its password.
  const token =
    registered !== null && urls.inboxUrl !== undefined
      ? await readVerificationToken(urls.inboxUrl, email)
      : null;
  if (token !== null) await visitor.call(verifyEmail, { body: { token } });
  return {
    // A token issued after the verification says that the address is verified.
    idToken: token === null ? session.idToken : (await client.call(issueIdToken, {})).idToken,
    // Otherwise the account page would list this process as a device.
    async [Symbol.asyncDispose]() {
      await client.call(signOut, {});
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
