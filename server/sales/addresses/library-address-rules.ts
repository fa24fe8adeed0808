import { formatAddress } from 'localized-address-format';
import validator from 'validator';
import type { AddressErrors, AddressRules } from './address-rules.ts';
import { isZipOf } from './zip-codes.ts';

const codeCountries: ReadonlySet<string> = new Set(validator.isPostalCodeLocales);
const hasCodeRule = (country: string): country is validator.PostalCodeLocale => codeCountries.has(country);

/** Whether addresses of a country have a region, such as a state or a province. */
const hasRegion = (country: string): boolean =>
  formatAddress({ postalCountry: country, administrativeArea: 'region' }).some((line) =>
    line.includes('region'),
  );

/** Territories and military addresses, to which parcels fly. */
const statesByAir = new Set('PR GU VI AS MP AA AE AP'.split(' '));

/** What is wrong with the state of an address in the United States, or with its ZIP code there. */
function stateErrors(region: string, zip: string): AddressErrors {
  const state = region.toUpperCase();
  const isOfState = isZipOf(state, zip);
  if (isOfState === true) return {};
  if (isOfState === false) {
    return { postalCode: `The ZIP code ${zip} is not in ${state}: one of them is wrong` };
  }
  return {
    region: statesByAir.has(state)
      ? `Parcels to ${state} fly, and a laptop’s battery may not`
      : 'Enter a state, such as OR or Oregon',
  };
}

/**
 * The rules of two libraries without dependencies: `localized-address-format` prints the parts of an address in the order of its
 * country, by the data of Google's libaddressinput, and `validator` has the forms of postal codes. Neither knows the regions of codes.
 */
export const libraryAddressRules: AddressRules = {
  knows: (country) => /^[A-Z]{2}$/.test(country) && hasCodeRule(country),
  errorsOf({ country, region, postalCode = '' }, countryName) {
    const errors: AddressErrors = {};
    if (region === undefined && hasRegion(country)) errors.region = 'Enter the state, province or county';
    if (country === 'US' && region !== undefined) Object.assign(errors, stateErrors(region, postalCode));
    if (hasCodeRule(country) && postalCode === '') {
      errors.postalCode = 'Enter the postal code';
    } else if (hasCodeRule(country) && !validator.isPostalCode(postalCode.toUpperCase(), country)) {
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
