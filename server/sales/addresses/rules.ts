// Postal addresses. Two libraries have the rules of the countries: `localized-address-format` prints the parts of an address in
// the order of its country, by the data of Google's libaddressinput, and `validator` has the forms of postal codes. Both have no
// dependencies and are used by the server only.

import { formatAddress } from 'localized-address-format';
import validator from 'validator';
import type { Address, PrintedAddress } from '#contract/sales/addresses.ts';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** The English name of a country in ISO 3166. */
export const countryName = (country: string): string => countryNames.of(country) ?? country;

const codeCountries: ReadonlySet<string> = new Set(validator.isPostalCodeLocales);

const hasCodeRule = (country: string): country is validator.PostalCodeLocale => codeCountries.has(country);

/** Whether the postal codes of a country can be checked, so that laptops can be sent there. */
export const isShippingCountry = (country: string): boolean =>
  /^[A-Z]{2}$/.test(country) && hasCodeRule(country);

/** Whether addresses of a country have a region, such as a state or a province. */
const hasRegion = (country: string): boolean =>
  formatAddress({ postalCountry: country, administrativeArea: 'region' }).some((line) =>
    line.includes('region'),
  );

type AddressErrors = Partial<Record<keyof Address, string>>;

/**
 * What is wrong with an address, by its fields; empty when nothing is.
 * @param shipsFrom the country in which the laptop is sent. Parcels with lithium batteries stay in it: other countries have other rules
 * for carrying them by air.
 */
export function addressErrors(
  { country, region, postalCode = '' }: Address,
  shipsFrom: string,
): AddressErrors {
  if (country !== shipsFrom) {
    return { country: `This laptop is sent within ${countryName(shipsFrom)} only, because of its battery` };
  }
  const errors: AddressErrors = {};
  if (region === undefined && hasRegion(country)) errors.region = 'The state, province or county is required';
  if (hasCodeRule(country) && !validator.isPostalCode(postalCode.toUpperCase(), country)) {
    errors.postalCode = `This is no postal code of ${countryName(country)}`;
  }
  return errors;
}

/** The columns of an address that is joined with a booking; all null without one. */
export interface AddressColumns {
  ship_name: string | null;
  ship_line1: string | null;
  ship_line2: string | null;
  ship_city: string | null;
  ship_region: string | null;
  ship_postal_code: string | null;
  ship_country: string | null;
}

/** The address of joined columns; null without one. */
export function addressOf(row: AddressColumns): Address | null {
  const { ship_name: name, ship_line1: line1, ship_city: city, ship_country: country } = row;
  if (name === null || line1 === null || city === null || country === null) return null;
  return {
    name,
    line1,
    line2: row.ship_line2 ?? undefined,
    city,
    region: row.ship_region ?? undefined,
    postalCode: row.ship_postal_code ?? undefined,
    country,
  };
}

/** An address as the labels of its country have it; undefined without one. */
export function printedAddress(row: AddressColumns): PrintedAddress | undefined {
  const address = addressOf(row);
  if (address === null) return undefined;
  const { name, line1, line2, city, region, postalCode, country } = address;
  const lines = formatAddress({
    postalCountry: country,
    name,
    addressLines: [line1, ...(line2 === undefined ? [] : [line2])],
    locality: city,
    ...(region !== undefined && { administrativeArea: region }),
    ...(postalCode !== undefined && { postalCode }),
  });
  return { address, lines: [...lines, countryName(country)] };
}
