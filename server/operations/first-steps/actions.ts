import { CLAIM_PATH } from '#contract/operations/first-steps.ts';
import { renderEmail } from '#emails/email.ts';
import { listAdmins } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import { toEmailShop } from '#server/people/email-shop.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import { type Caller, isSameSecret } from '#server/platform/http/guard.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { WEBHOOK_PATH } from '#server/sales/payments/webhooks.ts';
import { CommandRejected, makeAdminWithin } from '../user-admin/command-line.ts';
import { type CardAccount, CardAccountError, type EventPayload } from './card-account.ts';
import * as store from './store.ts';

/** Whether nobody administrates the shop. */
async function isUnclaimed(reader: Reader): Promise<boolean> {
  return (await listAdmins(reader)).length === 0;
}

const toText = (key: Uint8Array): string => Buffer.from(key).toString('base64url');

/** The link that makes the first admin; null when there is one. @param key 24 bytes */
export async function findClaimLink(
  reader: Reader,
  { origin, key }: { origin: string; key: Uint8Array },
): Promise<string | null> {
  return (await isUnclaimed(reader)) ? `${origin}${CLAIM_PATH}#${toText(key)}` : null;
}

/**
 * Makes a user the first admin, as the command line does: who knows the key can read the shop's log.
 * @param keys.given what the user sent
 * @param keys.own 24 bytes
 * @throws Refusal
 */
export function claimShop(
  database: Database,
  { email }: Pick<Caller, 'email'>,
  keys: { given: string; own: Uint8Array },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    await store.lockOwnership(transaction);
    if (!isSameSecret(keys.given, toText(keys.own))) {
      throw new Refusal(
        'not_allowed',
        'This link is not from this shop. Open the one that the shop printed at its last start.',
      );
    }
    if (!(await isUnclaimed(transaction))) {
      throw new Refusal(
        'shop_claimed',
        `This shop already has an admin. Ask for an invitation, or run ${operatorCommand('admin', 'grant EMAIL')} on its server.`,
      );
    }
    try {
      await makeAdminWithin(transaction, email, { unproven: true });
    } catch (error) {
      if (error instanceof CommandRejected) throw new Refusal('not_allowed', error.message);
      throw error;
    }
  });
}

export interface ConnectionDependencies extends Pick<Context, 'database' | 'origin' | 'shop'> {
  cardAccount: CardAccount;
}

/**
 * Compares the destinations of events that this shop needs with those at the card processor.
 * @returns the payloads that it is not sent, and the destinations for its URL whose events cannot come or be verified: disabled
 *   ones, and those of an attempt that failed before their secret was stored
 * @throws CardAccountError
 */
async function compareDestinations({ database, cardAccount, origin, shop }: ConnectionDependencies) {
  const url = `${origin}${WEBHOOK_PATH}`;
  const stored = await store.listKnownDestinations(database, url);
  const present = (await cardAccount.listEventDestinations()).filter((each) => each.url === url);
  const isUsable = ({ id, isEnabled }: { id: string; isEnabled: boolean }) =>
    isEnabled && stored.includes(id);
  const needed: EventPayload[] = shop().payoutMethod === 'by_hand' ? ['snapshot'] : ['snapshot', 'thin'];
  return {
    url,
    missing: needed.filter((payload) => !present.some((each) => each.payload === payload && isUsable(each))),
    useless: present.filter((each) => each.isOwn && !isUsable(each)),
  };
}

/** What the card processor does not send this shop, though it needs it. @throws CardAccountError */
export async function findMissingEvents(dependencies: ConnectionDependencies): Promise<EventPayload[]> {
  return (await compareDestinations(dependencies)).missing;
}

/**
 * Creates the destinations of events that are missing at the card processor, and stops automatic payouts when sellers are paid
 * through it. After a failure the next call continues.
 * @param adminId null for the command line
 * @returns how many destinations were created
 * @throws CardAccountError
 */
export async function connectCardProcessor(
  dependencies: ConnectionDependencies,
  adminId: string | null,
): Promise<number> {
  const { database, cardAccount, shop } = dependencies;
  const { url, missing, useless } = await compareDestinations(dependencies);
  for (const payload of missing) {
    const destination = await cardAccount.createEventDestination({ url, payload });
    await store.addDestination(database, { ...destination, url, payload });
  }
  for (const { id } of useless) await cardAccount.removeEventDestination(id);
  if (shop().payoutMethod === 'card_processor') await cardAccount.stopAutomaticPayouts();
  await database.transaction().execute((transaction) =>
    recordAudit(transaction, {
      act: 'Connected card processor',
      subject: url,
      note: missing.length === 0 ? 'Nothing was missing.' : `Created: ${missing.join(', ')}.`,
      adminId,
    }),
  );
  return missing.length;
}

/** Ends a provider's message with a full stop, so that a sentence can follow. */
const withStop = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** Converts the card processor's answer to one for the admin. */
export async function refuseCardAccountErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CardAccountError)) throw error;
    throw new Refusal(
      'provider_refused',
      `The card processor is not connected yet. ${withStop(error.message)} Completed steps are kept. Fix the problem and try again.`,
    );
  }
}

/** Sends an admin an email at once. @throws Refusal with the mail server's words */
export async function sendTestEmail(
  {
    emailSender,
    shop,
    origin,
  }: Pick<Context, 'shop' | 'origin'> & { emailSender: Pick<EmailSender, 'deliver'> },
  { email }: Pick<Caller, 'email'>,
): Promise<void> {
  const { name } = shop();
  const message = renderEmail(
    {
      to: { email },
      subject: `${name} can send email`,
      paragraphs: [
        `An admin of ${name} asked for this email to see whether it arrives. It does, and nothing else needs to be done.`,
      ],
      action: { label: 'See the first steps', url: `${origin}/dashboard/firstSteps` },
    },
    toEmailShop(shop()),
  );
  try {
    await emailSender.deliver(message);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(
      'provider_refused',
      `The email to ${email} was not sent. The mail server says: ${withStop(error.message)} Check SMTP_URL and MAIL_FROM, and start the shop again.`,
    );
  }
}
