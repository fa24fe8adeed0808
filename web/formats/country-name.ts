const names = new Intl.DisplayNames('en', { type: 'region' });

/** The name of a country in ISO 3166. */
export const countryName = (country: string): string => names.of(country) ?? country;
