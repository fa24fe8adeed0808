import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DatabaseError } from 'pg';
import { MAXIMUM_STORED_PICTURE_BYTES, type SettingsFile } from '#contract/operations/settings.ts';
import { type CurrencyCode, currencyOf } from '#contract/platform/currencies.ts';
import {
  type ShopPicture,
  type ShopPictureKind,
  type ShopSettings,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';
import { forgetLevelRules } from '#server/certification/inspections/steps.ts';
import type { PictureEncoder } from '#server/listings/photos/actions.ts';
import { changeCurrency, recordTimeZone } from '#server/money/ledger/steps.ts';
import { areTransfersPending } from '#server/money/payouts/steps.ts';
import { recordShopIdentity } from '#server/money/receipts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { requireRecentAuthentication } from '#server/platform/http/guard.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import {
  describeChanges,
  pictureShapes,
  picturesOf,
  unknownCountries,
  withLeastPrice,
  wrongAmounts,
} from './rules.ts';
import * as store from './store.ts';

const changedElsewhere = () =>
  new Refusal(
    'changed_elsewhere',
    'Somebody else has changed the settings in the meantime. Nothing was saved. Please load the page again and look at their change first.',
  );

/** @param errors sentences by field @throws Refusal when there are some */
function requireNone(errors: Record<string, string>): void {
  const [sentence] = Object.values(errors);
  if (sentence === undefined) return;
  throw new Refusal('invalid_input', `${sentence}. Nothing was saved.`, { errors });
}

/** @throws Refusal for a time zone that Node knows and PostgreSQL does not */
async function requireTimeZone(transaction: Transaction, timeZone: string): Promise<void> {
  if (await store.isKnownTimeZone(transaction, timeZone)) return;
  requireNone({ 'settings.timeZone': `The database does not know the time zone ${timeZone}` });
}

/** @throws Refusal while a transfer is under way: an admin could pay the same money, too */
async function requireNoTransfer(transaction: Transaction): Promise<void> {
  if (!(await areTransfersPending(transaction))) return;
  throw new Refusal(
    'money_on_its_way',
    'A transfer to a seller is under way at the card processor, so how sellers are paid cannot change now. Nothing was saved. Please try again in a few minutes.',
  );
}

const IN_USE =
  'The currency can only change before the first booking and the first movement of money, and this shop has some. Nothing was saved.';

/** Why a currency stays, by the constraint that keeps it. */
const keptCurrency: Readonly<Record<string, string>> = {
  // Only while nothing was booked or posted: deleting the laptops would not help then.
  priced_in_currency:
    'The currency can only change while no laptop is listed, because each would keep the number of its price. Nothing was saved. Sellers delete their laptops under My Products, and list them anew after the change, with prices in the new currency.',
  booked_in_currency: IN_USE,
  posted_in_currency: IN_USE,
};

const currencyInUse = (reason: string) =>
  new Refusal('currency_in_use', reason, { errors: { 'settings.currency': reason } });

/** Changes the currency. @throws Refusal when there are listed laptops, bookings or movements of money */
async function requireCurrency(transaction: Transaction, code: CurrencyCode): Promise<void> {
  // Of several violated constraints the database names one only, which can be that of the laptops.
  if (await store.hasBookingsOrPostings(transaction)) throw currencyInUse(IN_USE);
  try {
    await changeCurrency(transaction, currencyOf(code));
  } catch (error) {
    const reason = error instanceof DatabaseError ? keptCurrency[error.constraint ?? ''] : undefined;
    if (reason === undefined) throw error;
    throw currencyInUse(reason);
  }
}

type SettingsAdmin = Pick<Caller, 'userId' | 'isOwner' | 'authenticatedAt'>;

/** The settings that are changed only with a recent sign-in. */
const guardedSettings = ['bankAccount', 'payoutAfter', 'secondFactor'] as const;

/**
 * Replaces the settings, and records what changed. Receipts and the books of the same transaction follow.
 * @param admin null for the command line
 * @param version that of the settings which the admin has seen
 * @returns the version of the new settings
 * @throws Refusal
 */
export async function saveSettings(
  database: Database,
  admin: SettingsAdmin | null,
  { version, settings: given }: { version: number; settings: ShopSettings },
): Promise<number> {
  requireNone(unknownCountries(given));
  const saved = await database.transaction().execute(async (transaction) => {
    const before = await store.readSettings(transaction);
    if (before.version !== version) throw changedElsewhere();
    const settings = withLeastPrice(before.settings, given);
    requireNone(wrongAmounts(settings));
    const pictures = await store.findPictures(transaction, picturesOf(settings));
    for (const kind of shopPictureKinds) {
      const name = settings[kind]?.name;
      if (name === undefined || pictures.has(name)) continue;
      const sentence = 'This picture is no longer there. Please choose it again';
      throw new Refusal('invalid_input', `${sentence}.`, { errors: { [`settings.${kind}`]: sentence } });
    }
    if (admin?.isOwner === false && !isDeepStrictEqual(before.settings.secondFactor, settings.secondFactor)) {
      throw new Refusal(
        'not_allowed',
        'Only an owner of the shop decides who must use a second factor. Nothing was saved.',
      );
    }
    if (admin?.isOwner === false && before.settings.bankAccount !== settings.bankAccount) {
      throw new Refusal(
        'not_allowed',
        'Only an owner of the shop changes its bank account, to which sellers repay money. Nothing was saved.',
      );
    }
    // Whoever changes them could lead money elsewhere, or sign in with less: a stolen token alone must not be enough.
    const isGuarded = guardedSettings.some(
      (name) => !isDeepStrictEqual(before.settings[name], settings[name]),
    );
    if (admin !== null && isGuarded) requireRecentAuthentication(admin);
    const changes = describeChanges(before.settings, settings);
    if (changes.length === 0) return version;
    if (settings.timeZone !== before.settings.timeZone) await requireTimeZone(transaction, settings.timeZone);
    if (!(await store.writeSettings(transaction, version, settings))) throw changedElsewhere();
    if (settings.currency !== before.settings.currency) await requireCurrency(transaction, settings.currency);
    if (settings.payoutMethod !== before.settings.payoutMethod) await requireNoTransfer(transaction);
    if (!isDeepStrictEqual(before.settings.batteryFloors, settings.batteryFloors)) {
      await forgetLevelRules(transaction);
    }
    await recordTimeZone(transaction, settings.timeZone);
    const { name, legal, tax } = settings;
    await recordShopIdentity(
      transaction,
      {
        name,
        legalName: legal.company || null,
        address: legal.address || null,
        registerNumber: legal.registerNumber || null,
        taxId: legal.vatNumber || null,
      },
      { ...tax, saleNote: tax.saleNote || null },
    );
    await recordAudit(transaction, {
      adminId: admin?.userId ?? null,
      act: 'Changed settings',
      subject: settings.name,
      note: changes.join('\n'),
    });
    return version + 1;
  });
  await store.removeUnusedPictures(database, picturesOf(given));
  return saved;
}

/** Encodes a picture anew and stores it. @throws Refusal */
export async function storePicture(
  database: Database,
  encoder: Pick<PictureEncoder, 'encode'>,
  kind: ShopPictureKind,
  data: string,
): Promise<ShopPicture> {
  const shape = pictureShapes[kind];
  const { width, height, bytes } = await encoder.encode(Buffer.from(data, 'base64'), shape);
  if (bytes.length > MAXIMUM_STORED_PICTURE_BYTES) {
    throw new Refusal(
      'too_large',
      'This picture has too many details for its size. Please choose a simpler one, or save it with less quality.',
    );
  }
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${shape.format}`;
  await store.insertPicture(database, { name, bytes: Buffer.from(bytes) });
  return { name, width, height };
}

/** All settings with their pictures, as one file. */
export async function exportSettings(database: Database): Promise<SettingsFile> {
  const { settings } = await store.readSettings(database);
  const pictures = await store.findPictures(database, picturesOf(settings));
  const bytesOf = (picture: ShopPicture | null) => pictures.get(picture?.name ?? '')?.toString('base64');
  return {
    format: 'shop-settings-1',
    settings,
    pictures: {
      logo: bytesOf(settings.logo),
      icon: bytesOf(settings.icon),
      socialPicture: bytesOf(settings.socialPicture),
    },
  };
}

/**
 * Replaces the settings by those of a file. Its pictures are encoded anew, as uploads are.
 * @returns the version of the new settings
 * @throws Refusal
 */
export async function importSettings(
  database: Database,
  encoder: Pick<PictureEncoder, 'encode'>,
  admin: SettingsAdmin | null,
  { version, file }: { version: number; file: SettingsFile },
): Promise<number> {
  const settings = { ...file.settings };
  const stored = await store.findPictures(database, picturesOf(settings));
  for (const kind of shopPictureKinds) {
    const name = settings[kind]?.name;
    // A picture that is stored already would lose a little with each import.
    if (name === undefined || stored.has(name)) continue;
    const data = file.pictures[kind];
    if (data !== undefined) settings[kind] = await storePicture(database, encoder, kind, data);
  }
  return saveSettings(database, admin, { version, settings });
}
