import * as z from 'zod/mini';
import { type OwnPhone, PHONE_CODE_ATTEMPTS } from '#contract/people/phone-checks.ts';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';
import type { SmsSender } from '#server/people/phone-checks/sms-sender.ts';
import type { Context } from '#server/platform/context.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, formatWait, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { confirmPhone, findUser, lockActiveAccount, removePhone } from '../accounts/steps.ts';
import { readPhone } from '../phone-numbers.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

export interface PhoneCheckDependencies extends Pick<Context, 'database' | 'enqueue' | 'shop' | 'cache'> {
  /** Null when no SMS hook is configured: numbers cannot be confirmed then. */
  sms: {
    sender: SmsSender;
    /** Whether codes are sent only after the settings say to which numbers, because each message costs money. */
    needsPrefixes: boolean;
  } | null;
  /** The key from which codes are derived. */
  phoneCodeKey: Uint8Array;
  /** The shop's host name, which the message says. */
  host: string;
}

/** The job that sends a code. It carries neither the number nor the code. */
export const sendPhoneCode = job('phone-checks.send-code', z.object({ id: z.uuid() }), 'sms');

/** The caller's own number and code. */
export async function readOwnPhone(
  { database, sms, shop }: PhoneCheckDependencies,
  caller: Caller,
): Promise<OwnPhone> {
  const [user, code] = await Promise.all([
    findUser(database, caller.userId),
    store.findLatest(database, caller.userId),
  ]);
  const isOpen = code?.is_current && code.used_at === null;
  return rules.toOwnPhone(
    sms !== null && rules.sendsCodes(sms, shop().smsPrefixes),
    user,
    isOpen ? code : undefined,
  );
}

const invalidPhone = (sentence: string) =>
  new Refusal('invalid_input', `${sentence}. Nothing was sent.`, { errors: { phone: sentence } });

/** @throws Refusal when the user has reached CODES_PER_HOUR or CODES_PER_DAY */
async function requireQuota(transaction: Transaction, userId: string, now: Date): Promise<void> {
  const { hour, day } = await store.countAsked(transaction, userId);
  for (const [{ count, oldestAt }, most, hours] of [
    [day, rules.CODES_PER_DAY, 24],
    [hour, rules.CODES_PER_HOUR, 1],
  ] as const) {
    if (count < most || oldestAt === null) continue;
    const retryAt = new Date(oldestAt.getTime() + hours * 3_600_000);
    const [within, wait] = hours === 1 ? ['an hour', formatWait(retryAt, now)] : ['a day', 'tomorrow'];
    throw new Refusal(
      'too_many_requests',
      `You have asked for ${count} codes within ${within}, so none was sent now. The last code stays valid until it expires. Please ask again ${wait}.`,
      { retryAt },
    );
  }
}

/**
 * Stores a code for a number and enqueues the job that sends it. The confirmed number stays until the code was typed. Nothing
 * tells whether others have confirmed the number.
 * @param asked.phone as it is typed
 * @param asked.address the IP address of the request
 * @returns the id of the code
 * @throws Refusal
 */
export async function askPhoneCode(
  transaction: Transaction,
  { enqueue, sms, phoneCodeKey, shop }: PhoneCheckDependencies,
  caller: Caller,
  asked: { phone: string; address: string },
): Promise<string> {
  const { country, smsPrefixes, smsCodesPerDay } = shop();
  if (sms === null || !rules.sendsCodes(sms, smsPrefixes)) {
    throw new Refusal(
      'phone_checks_off',
      'This shop sends no codes, so a phone number cannot be confirmed. Nothing was changed.',
    );
  }
  const read = readPhone(asked.phone, country);
  if ('refusal' in read) throw invalidPhone(read.refusal);
  const phone = read.stored;
  if (phone.includes(';')) throw invalidPhone('A text message cannot be sent to an extension');
  if (!rules.isServedNumber(phone, smsPrefixes)) {
    throw invalidPhone(`This shop sends codes only to numbers that begin with ${smsPrefixes.join(', ')}`);
  }
  // Locked, so that concurrent requests of one person are counted one after the other.
  if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
  const user = await findUser(transaction, caller.userId);
  if (user?.email_verified !== true) {
    throw new Refusal(
      'not_allowed',
      'Please confirm your email address first, with the link in the email that you got when you registered. Nothing was sent.',
    );
  }
  if (user.phone === phone) throw invalidPhone('You have confirmed this number already');
  const now = new Date();
  await requireQuota(transaction, caller.userId, now);
  const retryAt = rules.nextDay(now);
  if (!(await store.takeDailyQuota(transaction, rules.SHOP_SUBJECT, smsCodesPerDay))) {
    throw new Refusal(
      'too_many_requests',
      'The shop has sent all the codes that it sends in a day, so none was sent to you. Please try again tomorrow.',
      { retryAt },
    );
  }
  for (const { prefix, quotaFactor } of ipPrefixes(asked.address)) {
    const share = rules.codesPerAddress(smsCodesPerDay) * quotaFactor;
    const subject = rules.addressSubject(phoneCodeKey, prefix);
    if (await store.takeDailyQuota(transaction, subject, share)) continue;
    throw new Refusal(
      'too_many_requests',
      'Many codes were requested from your network today, so none was sent to you. Please try again tomorrow, or over another connection.',
      { retryAt },
    );
  }
  const subject = rules.numberSubject(phoneCodeKey, phone);
  if (!(await store.takeDailyQuota(transaction, subject, rules.CODES_PER_NUMBER))) {
    throw new Refusal(
      'too_many_requests',
      'No more codes are sent to this number today, so none was sent now. Please try again tomorrow, or with another number.',
      { retryAt },
    );
  }
  const id = await store.insert(transaction, caller.userId, phone);
  await enqueue(transaction, sendPhoneCode, { id });
  return id;
}

/**
 * Sends a code once. A run of the job that ended while the hook was asked is not repeated: the message may have been sent, and
 * each costs money. The person reads what happened and can ask for another code.
 * @param onFailure gets a sentence for the operator
 */
export async function sendCode(
  { database, sms, shop, phoneCodeKey, host }: PhoneCheckDependencies,
  { id }: { id: string },
  onFailure: (reason: string) => void,
): Promise<void> {
  const subjectsOf = (phone: string) => [rules.SHOP_SUBJECT, rules.numberSubject(phoneCodeKey, phone)];
  const code = sms === null ? undefined : await store.claimForSending(database, id);
  if (sms === null || code === undefined) {
    await store.setOutcome(database, id, { from: ['sending'], to: 'uncertain' });
    await store.markNotSent(database, id, 'waiting', subjectsOf);
    return;
  }
  const { smsPrefixes } = shop();
  // The owner may have stopped codes to such numbers since it was asked for.
  if (!rules.sendsCodes(sms, smsPrefixes) || !rules.isServedNumber(code.phone, smsPrefixes)) {
    return store.markNotSent(database, id, 'sending', subjectsOf);
  }
  const text = rules.messageText(rules.codeOf(phoneCodeKey, id), host);
  const outcome = await sms.sender.send({ id, to: code.phone, text });
  if (outcome.kind !== 'sent') onFailure(outcome.reason);
  if (outcome.kind === 'not_sent') return store.markNotSent(database, id, 'sending', subjectsOf);
  await store.setOutcome(database, id, { from: ['sending', 'uncertain'], to: outcome.kind });
}

/** Result of entering a code. */
type Attempt = { kind: 'confirmed' | 'already_confirmed' | 'no_open_code' } | { kind: 'wrong'; left: number };

async function tryCode(
  transaction: Transaction,
  phoneCodeKey: Uint8Array,
  userId: string,
  typed: string,
): Promise<Attempt> {
  // Concurrent attempts wait here, so that each sees the ones before it.
  if (!(await lockActiveAccount(transaction, userId))) throw accountEnded();
  const code = await store.findLatest(transaction, userId);
  if (code === undefined || !code.is_current || code.state === 'not_sent') return { kind: 'no_open_code' };
  if (code.wrong_attempts >= PHONE_CODE_ATTEMPTS) return { kind: 'no_open_code' };
  const isRight = rules.isCode(phoneCodeKey, code.id, typed);
  // Sent again after a lost response.
  if (code.used_at !== null) return { kind: isRight ? 'already_confirmed' : 'no_open_code' };
  if (!isRight) {
    await store.countWrong(transaction, code.id);
    return { kind: 'wrong', left: PHONE_CODE_ATTEMPTS - code.wrong_attempts - 1 };
  }
  await store.markUsed(transaction, code.id);
  await confirmPhone(transaction, userId, code.phone);
  return { kind: 'confirmed' };
}

/**
 * Confirms the number of the latest code. It replaces the number that was confirmed before.
 * @returns false when this code has confirmed it already
 * @throws Refusal
 */
export async function confirmWithCode(
  { database, cache, phoneCodeKey }: PhoneCheckDependencies,
  caller: Caller,
  typed: string,
): Promise<boolean> {
  // Committed also when the code is wrong: the attempt counts.
  const attempt = await database
    .transaction()
    .execute((transaction) => tryCode(transaction, phoneCodeKey, caller.userId, typed));
  if (attempt.kind === 'no_open_code' || (attempt.kind === 'wrong' && attempt.left === 0)) {
    throw new Refusal(
      'wrong_code',
      attempt.kind === 'no_open_code'
        ? 'No code is open: it has expired, was used, could not be sent, or was entered wrongly too often. Nothing was changed. Please ask for a new code.'
        : 'Wrong code. That was the last attempt. Nothing was changed. Please ask for a new code.',
    );
  }
  if (attempt.kind === 'wrong') {
    const left = attempt.left === 1 ? 'one more time' : `${attempt.left} more times`;
    throw new Refusal(
      'wrong_code',
      `This is not the code. Please look at the latest message again: you can try ${left}.`,
    );
  }
  await cache.waitForInvalidation();
  return attempt.kind === 'confirmed';
}

/** Removes the confirmed number with its date, and ends a code that was asked for. @returns false without a confirmed number */
export async function removeOwnPhone(
  { database, cache }: PhoneCheckDependencies,
  caller: Caller,
): Promise<boolean> {
  const wasConfirmed = await database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    await store.expireAll(transaction, caller.userId);
    return removePhone(transaction, caller.userId);
  });
  await cache.waitForInvalidation();
  return wasConfirmed;
}
