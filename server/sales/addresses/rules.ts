import type { Address, PrintedAddress } from '#contract/sales/addresses.ts';
import type { AddressErrors, AddressRules } from './address-rules.ts';
import { libraryAddressRules } from './library-address-rules.ts';

/** The rules of this shop. */
const rules: AddressRules = libraryAddressRules;

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** The English name of a country in ISO 3166. */
const countryName = (country: string): string => countryNames.of(country) ?? country;

/** Whether the addresses of a country can be checked, so that laptops can be sent there. */
export const isShippingCountry = (country: string): boolean => rules.knows(country);

/**
 * What is wrong with an address, by its fields; empty when nothing is.
 * @param shipsFrom the country in which the laptop is sent. Parcels with lithium batteries stay in it: other countries have other rules
 * for carrying them by air.
 */
export function addressErrors(address: Address, shipsFrom: string): AddressErrors {
  return address.country === shipsFrom
    ? rules.errorsOf(address, countryName(shipsFrom))
    : { country: `This laptop is sent within ${countryName(shipsFrom)} only, because of its battery` };
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

/** The lines of an address as the labels of its country have them. */
export const linesOf = (address: Address): string[] => [
  ...rules.linesOf(address),
  countryName(address.country),
];

/** An address as the labels of its country have it, on one line; empty without one. */
export const printedOnOneLine = (row: AddressColumns): string => printedAddress(row)?.lines.join(', ') ?? '';

/** An address as the labels of its country have it; undefined without one. */
export function printedAddress(row: AddressColumns): PrintedAddress | undefined {
  const address = addressOf(row);
  if (address === null) return undefined;
  return { address, lines: linesOf(address) };
}
