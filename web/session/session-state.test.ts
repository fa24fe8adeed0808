import { expect, test } from 'vitest';
import { initialState, reduce, type SessionEvent, type SessionState } from './session-state.ts';

const ada = { name: 'Ada', email: 'ada@example.com', photoUrl: null };
const bea = { name: 'Bea', email: 'bea@example.com', photoUrl: null };

const after = (events: readonly SessionEvent[], state: SessionState = initialState) =>
  events.reduce(reduce, state);

const succeeded = (exchange: number, person = ada): SessionEvent => ({
  type: 'exchange-succeeded',
  exchange,
  person,
  secondFactor: false,
});
const failed = (exchange: number, person = ada): SessionEvent => ({
  type: 'exchange-failed',
  exchange,
  person,
  message: 'No connection.',
});
const signedIn = after([{ type: 'exchange-started', exchange: 1 }, succeeded(1)]);

test('signs in after an exchange, with the second factor where one was used', () => {
  expect(signedIn.session).toEqual({ status: 'signed-in', person: ada });
  const started: SessionEvent = { type: 'exchange-started', exchange: 1 };
  expect(
    after([started, { type: 'exchange-succeeded', exchange: 1, person: ada, secondFactor: true }]).session,
  ).toMatchObject({
    secondFactor: true,
  });
});

test.each<[string, SessionEvent]>([
  ['a sign-out', { type: 'signed-out', byUser: true, reason: null }],
  ['a sign-out of the identity client', { type: 'sign-in-changed', signIn: null, reason: null }],
  ['a required second factor', { type: 'second-factor-required', methods: ['totp'], challenge: 'c1' }],
  [
    'a user record that was not created',
    { type: 'record-not-created', person: ada, role: 'Buyer', failure: { message: 'No.', field: null } },
  ],
  ['a deleted account', { type: 'account-deleted', kept: [] }],
  ['a newer exchange', { type: 'exchange-started', exchange: 2 }],
])('ignores the result of an exchange that arrives after %s', (_name, event) => {
  const state = after([{ type: 'exchange-started', exchange: 1 }, event]);
  expect(reduce(state, succeeded(1))).toBe(state);
  expect(reduce(state, failed(1))).toBe(state);
  expect(reduce(state, { type: 'record-missing', exchange: 1, person: ada })).toBe(state);
});

test.each<[string, SessionEvent]>([
  ['the time limit', { type: 'unavailable', message: 'Too long.' }],
  ['a retry', { type: 'retry' }],
  ['the lookup of a stored sign-in', { type: 'nothing-stored' }],
])('applies the result of an exchange that arrives after %s', (_name, event) => {
  expect(after([{ type: 'exchange-started', exchange: 1 }, event, succeeded(1)]).session).toEqual(
    signedIn.session,
  );
});

test('an exchange that fails leaves the same user signed in, and no other', () => {
  const started = reduce(signedIn, { type: 'exchange-started', exchange: 2 });
  expect(reduce(started, failed(2)).session).toBe(signedIn.session);
  expect(reduce(started, failed(2, bea)).session).toEqual({ status: 'failed', message: 'No connection.' });
});

test('the lookup and the time limit change nothing once the session is known', () => {
  for (const event of [{ type: 'nothing-stored' }, { type: 'unavailable', message: 'Too long.' }] as const) {
    expect(reduce(signedIn, event).session).toBe(signedIn.session);
  }
});

test('a signed-out session keeps its reason when the identity client follows', () => {
  const ended = after([{ type: 'signed-out', byUser: false, reason: 'This account is disabled.' }], signedIn);
  expect(reduce(ended, { type: 'sign-in-changed', signIn: null, reason: null }).session).toBe(ended.session);
});

test('an equal session keeps its object identity', () => {
  const renewed = after([{ type: 'exchange-started', exchange: 2 }, succeeded(2)], signedIn);
  expect(renewed.session).toBe(signedIn.session);
});
