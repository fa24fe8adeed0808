/** The currency of a shop: a shop has one, and a process serves one shop. The server derives it from the code (currencies.ts). */
export interface Currency {
  /** ISO 4217, such as `USD`. */
  code: string;
  /** Such as `$`. */
  sign: string;
  /** Several of its units, such as `dollars`. */
  name: string;
  /** The least difference between two amounts, in hundredths: 1, or 100 for a currency without decimals, such as the yen. */
  smallestAmount: number;
  /** The card processor's minimum charge, in hundredths. */
  leastCents: number;
  /** The maximum price in hundredths, to catch typing mistakes. */
  mostCents: number;
}

const current: Currency = {
  code: 'USD',
  sign: '$',
  name: 'dollars',
  smallestAmount: 1,
  leastCents: 50,
  mostCents: 5_000_000,
};

/** The currency of this shop, at first that of a fresh one. All amounts of this process are in it: integer hundredths, shown as decimal numbers. */
export const currency: Readonly<Currency> = current;

let format: Intl.NumberFormat | null = null;

/**
 * Sets the currency of this process: on the server when the settings are read, in a page before it is rendered or hydrated. Other modules
 * keep nothing that depends on it.
 */
export function setCurrency(next: Currency): void {
  if (next.code !== current.code) format = null;
  Object.assign(current, next);
}

/** Whether amounts of the shop's currency have no decimals. */
const isWhole = () => currency.smallestAmount === 100;

/** The amount that messages show as an example. A form shows it in the notation of its browser. */
export const exampleAmount = (): string => (isWhole() ? '54999' : '549.99');

/** How an amount is written: `in dollars, with at most two decimals, such as 549.99`, `in whole yen, such as 54999`. */
export const amountHint = (): string =>
  `in ${isWhole() ? 'whole ' : ''}${currency.name}${isWhole() ? '' : ', with at most two decimals'}, such as ${exampleAmount()}`;

/**
 * Converts integer cents to an amount (`549.99`) by moving the decimal point in text, without rounding errors.
 */
export function amountFromCents(cents: number): number {
  const digits = String(cents).padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** The maximum length of an amount, in characters. */
const MAXIMUM_AMOUNT_LENGTH = 20;

/**
 * Parses a decimal number such as `549.99` to integer hundredths by moving the decimal point in the text, without rounding errors.
 * @returns null if the text is none with at most two decimals, or negative
 */
export function hundredthsFromText(text: string): number | null {
  if (text.length > MAXIMUM_AMOUNT_LENGTH) return null;
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, '0'));
}

/** Parses an amount such as `549.99`. @returns null if it is none of the shop's currency, or negative */
export function centsFromText(text: string): number | null {
  const cents = hundredthsFromText(text);
  return cents === null || cents % currency.smallestAmount !== 0 ? null : cents;
}

/**
 * Converts an amount to integer cents.
 * @returns null if the number is no amount of the shop's currency, or negative
 */
export function centsFromAmount(amount: number): number | null {
  return centsFromText(String(amount));
}

/** Rounds hundredths down to an amount that exists in the shop's currency. */
export const roundDown = (cents: number): number => cents - (cents % currency.smallestAmount);

/** Rounds hundredths up to an amount that exists in the shop's currency, such as a cost of which only a part is known. */
export const roundUp = (cents: number): number =>
  Math.ceil(cents / currency.smallestAmount) * currency.smallestAmount;

/** Formats a price, such as `$1,249.00`. */
export function formatAmount(amount: number): string {
  // Browsers disagree about the decimals of some currencies.
  const minimumFractionDigits = isWhole() ? 0 : 2;
  format ??= new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.code,
    minimumFractionDigits,
    maximumFractionDigits: minimumFractionDigits,
  });
  return format.format(amount);
}

/** Formats integer cents, with a minus sign: `−$12.50`. */
export function formatCents(cents: number): string {
  const amount = formatAmount(amountFromCents(Math.abs(cents)));
  return cents < 0 ? `−${amount}` : amount;
}

/** An amount in files and structured data, such as `549.99` or `54999`. */
export const plainAmount = (amount: number): string => amount.toFixed(isWhole() ? 0 : 2);
