import * as z from 'zod/mini';
import { ProblemDocument } from '#contract/refusals.ts';
import { type Environment, within } from './environment.ts';
import { errorOfProblem, IdentityError } from './errors.ts';
import { parseJson } from './json.ts';
import { UserProfile } from './user.ts';

/** How long one request to the provider may take, in milliseconds. */
export const REQUEST_LIMIT = 10_000;

const Issued = z.object({ idToken: z.string(), user: UserProfile });
export type Issued = z.infer<typeof Issued>;
const Begun = z.extend(Issued, { sessionToken: z.string() });
export type Begun = z.infer<typeof Begun>;
const Done = z.object({ success: z.literal(true) });

/** The identity provider's calls. Each throws IdentityError and ends within {@link REQUEST_LIMIT}. */
export interface Provider {
  signUp(email: string, password: string): Promise<Begun>;
  signIn(email: string, password: string): Promise<Begun>;
  /** A new ID token, and the user as they are now. */
  issue(sessionToken: string): Promise<Issued>;
  update(sessionToken: string, changes: { displayName?: string; photoURL?: string | null }): Promise<Issued>;
  signOut(sessionToken: string): Promise<void>;
}

/** @param url the provider's address, ending in `/identity` */
export function createProvider(
  url: string,
  { fetch, clock }: Pick<Environment, 'fetch' | 'clock'>,
): Provider {
  async function call<Schema extends z.ZodMiniType>(
    answer: Schema,
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string },
  ): Promise<z.output<Schema>> {
    const abort = new AbortController();
    const headers = new Headers({ accept: 'application/json' });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');

    async function exchange() {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        // The session travels as a bearer token and never as a cookie, so no other site can make use of it.
        credentials: 'omit',
        cache: 'no-store',
        signal: abort.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { response, text: await response.text() };
    }

    const { response, text } = await within(clock, REQUEST_LIMIT, exchange(), () => {
      abort.abort();
      return new Error('The identity provider took too long.');
    }).catch((cause: unknown) => {
      throw new IdentityError('auth/network-request-failed', { cause });
    });
    const json = parseJson(text);
    if (!response.ok) {
      const problem = ProblemDocument.safeParse(json);
      throw errorOfProblem(
        problem.success
          ? problem.data
          : { status: response.status, code: '', detail: new IdentityError('auth/internal-error').message },
      );
    }
    const parsed = z.safeParse<Schema>(answer, json);
    if (!parsed.success) throw new IdentityError('auth/internal-error', { cause: parsed.error });
    return parsed.data;
  }

  return {
    signUp: (email, password) => call(Begun, 'POST', '/sign-up/email', { body: { email, password } }),
    signIn: (email, password) => call(Begun, 'POST', '/sign-in/email', { body: { email, password } }),
    issue: (token) => call(Issued, 'GET', '/token', { token }),
    update: (token, changes) => call(Issued, 'PATCH', '/user', { token, body: changes }),
    async signOut(token) {
      await call(Done, 'POST', '/sign-out', { token });
    },
  };
}
