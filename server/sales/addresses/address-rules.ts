import type { Address } from '#contract/sales/addresses.ts';

/** What is wrong with an address, by its fields. */
export type AddressErrors = Partial<Record<keyof Address, string>>;

/** The postal rules of countries. */
export interface AddressRules {
  /** Whether addresses of a country can be checked. @param country in ISO 3166 */
  knows(country: string): boolean;
  /** @param countryName the country's name in sentences @returns empty when nothing is wrong */
  errorsOf(address: Address, countryName: string): AddressErrors;
  /** The lines of a label, without the country. */
  linesOf(address: Address): string[];
}
