import * as z from 'zod/mini';
import { currencyOf, scaledCents } from '#contract/platform/currencies.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import {
  PublicShop,
  type ShopPictureKind,
  type ShopSettings,
  shippingCountriesOf,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';
import { isPhoneCountry } from '#server/people/phone-numbers.ts';
import { isShippingCountry } from '#server/sales/addresses/rules.ts';

/** The form of each kind of picture: it is fitted into a size in pixels. A logo may be narrower. */
export const pictureShapes = {
  logo: { width: 640, height: 160, fit: 'inside', format: 'webp' },
  icon: { width: 512, height: 512, fit: 'contain', format: 'png' },
  socialPicture: { width: 1200, height: 630, fit: 'cover', format: 'jpeg' },
} as const satisfies Record<ShopPictureKind, object>;

/** The maximum of the fixed commission and of the least price, in US cents. */
const MAXIMUM_AMOUNT_CENTS = 100_000;

/** The names of the pictures that settings have. */
export const picturesOf = (settings: ShopSettings): string[] =>
  shopPictureKinds.flatMap((kind) => settings[kind]?.name ?? []);

/** All values of settings by their names, such as `contact.email`. The size of a picture follows from its name. */
function leavesOf(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [[name, value === '' || value === null ? 'nothing' : JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'width' || key === 'height' ? [] : leavesOf(member, name === '' ? key : `${name}.${key}`),
  );
}

/** The longest text of a value in the audit trail. */
const MAXIMUM_SHOWN = 500;

const shorten = (text: string) => (text.length > MAXIMUM_SHOWN ? `${text.slice(0, MAXIMUM_SHOWN)}…` : text);

/** What differs between two settings: each value before and after, one a line. */
export function describeChanges(before: ShopSettings, after: ShopSettings): string[] {
  const [old, next] = [new Map(leavesOf(before, '')), new Map(leavesOf(after, ''))];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name) ?? 'nothing', next.get(name) ?? 'nothing'];
    return was === is ? [] : [`${name}: ${shorten(was)}, now ${shorten(is)}`];
  });
}

/**
 * Countries of settings that nobody here can write to or call: their postal codes or telephone numbers cannot be checked.
 * @returns a sentence without its full stop by the field of the request
 */
export function unknownCountries(settings: ShopSettings): Record<string, string> {
  const { country, shippingCountries } = settings;
  const errors: Record<string, string> = {};
  if (country !== null && !isPhoneCountry(country)) {
    errors['settings.country'] = `No country has the letters ${country} in ISO 3166`;
  }
  const unknown = shippingCountriesOf(settings).filter((each) => !isShippingCountry(each));
  if (unknown.length > 0 && Object.keys(errors).length === 0) {
    const list = new Intl.ListFormat('en').format(unknown);
    errors['settings.shippingCountries'] =
      shippingCountries.length === 0
        ? `Postal codes of ${list} cannot be checked, so name other countries in which laptops are sent`
        : `Postal codes of ${list} cannot be checked, so nothing can be sent there`;
  }
  return errors;
}

/**
 * The settings to store when the currency changes: the least price follows the least that a card can be charged, unless another one was
 * chosen.
 */
export const withLeastPrice = (before: ShopSettings, after: ShopSettings): ShopSettings =>
  after.currency !== before.currency && after.leastPriceCents === currencyOf(before.currency).leastCents
    ? { ...after, leastPriceCents: currencyOf(after.currency).leastCents }
    : after;

/**
 * Amounts of settings that their currency does not have, or that are out of their bounds.
 * @returns a sentence without its full stop by the field of the request
 */
export function wrongAmounts({
  currency: code,
  commission,
  leastPriceCents,
}: ShopSettings): Record<string, string> {
  const { smallestAmount, leastCents, name } = currencyOf(code);
  const most = scaledCents(MAXIMUM_AMOUNT_CENTS, code);
  const isWrong = (cents: number, least: number) =>
    cents < least || cents > most || cents % smallestAmount !== 0;
  const shown = (cents: number) => String(amountFromCents(cents));
  const inUnits = smallestAmount === 1 ? `in ${name} with at most two decimals` : `in whole ${name}`;
  return {
    ...(isWrong(commission.fixedCents, 0) && {
      'settings.commission.fixedCents': `The fixed amount is ${inUnits}, up to ${shown(most)}`,
    }),
    ...(isWrong(leastPriceCents, leastCents) && {
      'settings.leastPriceCents': `The least price is ${inUnits}, from ${shown(leastCents)} to ${shown(most)}`,
    }),
  };
}

/** What everybody may know of the settings. */
export const publicShop = (settings: ShopSettings): PublicShop => z.parse(PublicShop, settings);
