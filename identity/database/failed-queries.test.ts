import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const SignedIn = z.object({ sessionToken: z.string() });

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

/** How many more times the provider gets a connection from its pool. Further ones fail as those of an exhausted pool do. */
let connectionsLeft = Number.POSITIVE_INFINITY;
const { connect } = pg.Pool.prototype;
beforeEach(() => {
  // The router of better-auth writes errors there as well.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (
    this: pg.Pool,
    ...parameters: unknown[]
  ) {
    connectionsLeft -= 1;
    if (connectionsLeft >= 0) return Reflect.apply(connect, this, parameters);
    const error = new Error('timeout exceeded when trying to connect');
    const [callback] = parameters;
    return typeof callback === 'function' ? callback(error) : Promise.reject(error);
  });
});

let people = 0;
const newPerson = () => ({ email: `person${++people}@mail.example`, password: PASSWORD });

async function signUp() {
  const person = newPerson();
  const answer = await provider.call('POST', '/sign-up/email', { body: person });
  return { person, token: SignedIn.parse(await answer.json()).sessionToken };
}

type Caller = Awaited<ReturnType<typeof signUp>>;

it.each<[string, (caller: Caller) => Promise<Response>]>([
  ['the renewal of an ID token', ({ token }) => provider.call('GET', '/token', { token })],
  ['reading the account', ({ token }) => provider.call('GET', '/account', { token })],
  ['the list of sessions', ({ token }) => provider.call('GET', '/sessions', { token })],
  [
    'a change of the name',
    ({ token }) => provider.call('PATCH', '/user', { token, body: { displayName: 'Bea' } }),
  ],
  ['a sign-out', ({ token }) => provider.call('POST', '/sign-out', { token })],
  ['a sign-in', ({ person }) => provider.call('POST', '/sign-in/email', { body: person })],
  ['a sign-up', () => provider.call('POST', '/sign-up/email', { body: newPerson() })],
  ['the published keys', () => provider.call('GET', '/jwks')],
])('answers identity_unavailable to %s, whichever of its queries fails', async (_name, send) => {
  const caller = await signUp();
  const answers: string[] = [];
  for (let allowed = 0; answers.at(-1) !== '200'; allowed += 1) {
    connectionsLeft = allowed;
    const answer = await send(caller);
    connectionsLeft = Number.POSITIVE_INFINITY;
    answers.push(answer.ok ? '200' : z.object({ code: z.string() }).parse(await answer.json()).code);
    expect(answers.length).toBeLessThan(40);
  }
  expect(new Set(answers)).toEqual(new Set(['identity_unavailable', '200']));
});

it('keeps a session whose sign-out failed, and says so', async () => {
  const { token } = await signUp();
  // The session is found, and its deletion fails.
  connectionsLeft = 2;
  const failed = await provider.call('POST', '/sign-out', { token });
  connectionsLeft = Number.POSITIVE_INFINITY;
  expect(failed.status).toBe(503);
  expect((await provider.call('POST', '/sign-out', { token })).status).toBe(200);
  expect((await provider.call('GET', '/token', { token })).status).toBe(401);
});

it('does not take an account that could not be stored for one that exists', async () => {
  await provider.sql(`
    create function refuse_user() returns trigger language plpgsql as $$ begin
      raise exception 'no space left';
    end $$;
    create trigger refusing before insert on "user" execute function refuse_user()`);
  const answer = await provider.call('POST', '/sign-up/email', { body: newPerson() });
  expect(await answer.json()).toMatchObject({ status: 503, code: 'identity_unavailable' });
  await provider.sql('drop trigger refusing on "user"');
});
