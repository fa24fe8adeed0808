import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './log.ts';

/** What a logger writes. */
function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLogger('debug', destination));
  return text;
}

test.each([
  ['an email address', 'Key (email)=(ann.other+tag@people.example) already exists', 'ann.other'],
  ['a token', 'token eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl was refused', 'eyJzdWIiOi'],
  ['a bearer', 'authorization: Bearer abc123def456', 'abc123def456'],
  ['a key of the card processor', 'Invalid API Key provided: sk_test_51Habc', '51Habc'],
  ['a webhook’s secret', 'whsec_abcdefgh', 'abcdefgh'],
  ['an intent’s secret', 'pi_123_secret_abcdefg', 'abcdefg'],
  ['a key in an address', 'POST /photos?key=0123abcd&x=1', '0123abcd'],
  ['a database’s address', 'connect postgres://shop:word@db.example/shop', 'word'],
  ['a card number', 'card 4242 4242 4242 4242 was used', '4242 4242'],
  ['a card number without spaces', 'card 4000056655665556.', '40000566'],
  ['a telephone number', 'call +351 912 345 678 now', '912 345'],
  ['a telephone number without a plus, in a row', 'Key (phone)=(0912 345 678) is not valid', '0912 345'],
  ['a telephone number without a plus, in an address', 'GET /x?phone=0912345678&y=1', '0912345678'],
  ['a telephone number without a plus, in a body', '{"mobile_number":"0912 345 678","x":1}', '0912 345'],
])('redacts %s in the message and in properties of an error', (_what, text, secret) => {
  const error = Object.assign(new Error(text), { detail: text, raw: { headers: text } });
  const line = logged((logger) => {
    logger.warn({ err: error, nested: { text } }, text);
    logger.child({ text }).info('as a binding');
  });
  expect(line).not.toContain(secret);
  for (const each of line.trim().split('\n')) JSON.parse(each);
});

test('keeps request ids, times and stack traces', () => {
  const requestId = '3f2504e0-4f89-41d3-9a0c-030512345678';
  const laptopId = '12345678-1234-4123-8123-123456789012';
  const line = logged((logger) => logger.info({ requestId, laptopId, milliseconds: 12.5 }, 'request'));
  expect(JSON.parse(line)).toMatchObject({ requestId, laptopId, milliseconds: 12.5, msg: 'request' });
  expect(JSON.parse(line).time).toMatch(/^\d{4}-\d{2}-\d{2}T/);
});

test('logs an error with its stack and cause, and without attached objects', () => {
  const error = new Error('duplicate key', { cause: new Error('the cause') });
  Object.assign(error, {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (name)=(Ann)',
    rejected: ['Ann'],
  });
  const { err } = JSON.parse(logged((logger) => logger.error({ err: error }, 'failed')));
  expect(err).toMatchObject({
    type: 'Error',
    message: 'duplicate key',
    code: '23505',
    constraint: 'users_email_key',
    cause: { message: 'the cause' },
  });
  expect(err.stack).toContain('log.test.ts');
  expect(JSON.stringify(err)).not.toContain('Ann');
});

test('logs a copy of an error that is a plain object, and another value, without attached objects', () => {
  const error = new Error('connect ECONNREFUSED');
  const copy = { ...error, message: error.message, stack: error.stack, code: 'ECONNREFUSED', rows: ['Ann'] };
  const lines = logged((logger) => {
    logger.warn({ err: copy }, 'failed');
    logger.warn({ err: 'a sentence' }, 'failed');
  });
  const [logs, other] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).err);
  expect(logs).toEqual({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: error.stack });
  expect(other).toEqual({ message: 'a sentence' });
});

test('logs the errors of several items, ten at most, each with its cause', () => {
  const errors = Array.from({ length: 12 }, (_, at) => new Error(`item ${at}`, { cause: new Error('why') }));
  const { err } = JSON.parse(
    logged((logger) => logger.error({ err: new AggregateError(errors, 'some items failed') }, 'failed')),
  );
  expect(err).toMatchObject({ message: 'some items failed' });
  expect(err.errors).toHaveLength(10);
  expect(err.errors[1]).toMatchObject({ message: 'item 1', cause: { message: 'why' } });
});
