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
