/** Makers of laptops beside the shop's own brands, as names of laptops begin with them. */
const makers = [
  'Apple',
  'ASUS',
  'Framework',
  'Fujitsu',
  'Gigabyte',
  'Huawei',
  'Lenovo',
  'LG',
  'Microsoft',
  'MSI',
  'Panasonic',
  'Razer',
  'Samsung',
  'Sony',
  'Toshiba',
];

/**
 * What to look at when a laptop's name begins with another brand than the chosen one; undefined otherwise.
 * @param brands those of the shop
 */
export function brandHint(name: string, brand: string, brands: readonly string[]): string | undefined {
  const start = `${name.trim().toLowerCase()} `;
  const named = [...brands, ...makers].find((one) => start.startsWith(`${one.toLowerCase()} `));
  if (named === undefined || named === brand) return undefined;
  return brands.includes(named)
    ? `The name says ${named}. Is the brand right?`
    : `The name says ${named}, which is none of our brands. Buyers will look for it under ${brand}.`;
}
