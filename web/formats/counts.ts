/** Formats a whole number with a comma after each thousand. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** How many laptops there are, in words: `1 laptop`, `1,204 laptops`. */
export const formatLaptopCount = (count: number): string =>
  count === 1 ? '1 laptop' : `${formatCount(count)} laptops`;

/** How many laptops a seller has sold, in words: `Nothing sold yet`, `2 laptops sold`. */
export const formatSales = (sold: number): string =>
  sold === 0 ? 'Nothing sold yet' : `${formatLaptopCount(sold)} sold`;
