import { formatAddress } from 'localized-address-format';
import validator from 'validator';
import type { AddressErrors, AddressRules } from './address-rules.ts';

const codeCountries: ReadonlySet<string> = new Set(validator.isPostalCodeLocales);
const hasCodeRule = (country: string): country is validator.PostalCodeLocale => codeCountries.has(country);

/** Whether addresses of a country have a region, such as a state or a province. */
const hasRegion = (country: string): boolean =>
  formatAddress({ postalCountry: country, administrativeArea: 'region' }).some((line) =>
    line.includes('region'),
  );

/** The states of the United States with their capital district, as the Postal Service abbreviates them. */
const statesByRoad = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  ),
);

/** Territories and military addresses, to which parcels fly. */
const statesByAir = new Set('PR GU VI AS MP AA AE AP'.split(' '));

function stateError(region: string): string | undefined {
  const state = region.toUpperCase();
  if (statesByRoad.has(state)) return undefined;
  return statesByAir.has(state)
    ? `Parcels to ${state} fly, and a laptop’s battery may not`
    : 'Write the state as two letters, such as OR';
}

/**
 * The rules of two libraries without dependencies: `localized-address-format` prints the parts of an address in the order of its
 * country, by the data of Google's libaddressinput, and `validator` has the forms of postal codes.
 */
export const libraryAddressRules: AddressRules = {
  knows: (country) => /^[A-Z]{2}$/.test(country) && hasCodeRule(country),
  errorsOf({ country, region, postalCode = '' }, countryName) {
    const errors: AddressErrors = {};
    if (region === undefined && hasRegion(country))
      errors.region = 'The state, province or county is required';
    const wrongState = country === 'US' && region !== undefined ? stateError(region) : undefined;
    if (wrongState !== undefined) errors.region = wrongState;
    if (hasCodeRule(country) && !validator.isPostalCode(postalCode.toUpperCase(), country)) {
      errors.postalCode = `This is no postal code of ${countryName}`;
    }
    return errors;
  },
  linesOf: ({ name, line1, line2, city, region, postalCode, country }) =>
    formatAddress({
      postalCountry: country,
      name,
      addressLines: [line1, ...(line2 === undefined ? [] : [line2])],
      locality: city,
      ...(region !== undefined && { administrativeArea: region }),
      ...(postalCode !== undefined && { postalCode }),
    }),
};
