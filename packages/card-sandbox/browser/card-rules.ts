/** Stripe's messages, verbatim. */
export const messages = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: 'Your postal code is incomplete.',
} as const;

export type Problem = keyof typeof messages;

/** `incomplete` is an error once the field is left, `invalid` at once. */
export type Check = { state: 'empty' | 'incomplete' | 'invalid'; problem: Problem } | { state: 'complete' };

/** The brands of the test cards. */
type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unknown';

type BrandRule = { brand: Brand; starts: RegExp; groups: number[] };

const inFours = [4, 4, 4, 4];

const rules: BrandRule[] = [
  { brand: 'visa', starts: /^4/, groups: inFours },
  { brand: 'mastercard', starts: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, groups: inFours },
  { brand: 'amex', starts: /^3[47]/, groups: [4, 6, 5] },
  { brand: 'discover', starts: /^(6011|64[4-9]|65)/, groups: inFours },
];

const unknown: BrandRule = { brand: 'unknown', starts: /^/, groups: inFours };

function ruleFor(digits: string): BrandRule {
  return rules.find((rule) => rule.starts.test(digits)) ?? unknown;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function brandOf(number: string): Brand {
  return ruleFor(digitsOf(number)).brand;
}

/** The length of the security code: three digits, on American Express four. */
export function codeLength(brand: Brand): number {
  return brand === 'amex' ? 4 : 3;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, letter] of [...digits].reverse().entries()) {
    const digit = Number(letter) * (index % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return digits.length > 0 && sum % 10 === 0;
}

const lengthOf = ({ groups }: BrandRule) => groups.reduce((sum, size) => sum + size, 0);

/** Groups the digits as on the card. */
export function formatNumber(text: string): string {
  const digits = digitsOf(text);
  const parts: string[] = [];
  let start = 0;
  for (const size of ruleFor(digits).groups) {
    parts.push(digits.slice(start, start + size));
    start += size;
  }
  return parts.filter(Boolean).join(' ');
}

/** Formats `4` as `04 / ` and `1225` as `12 / 25`. Adds no slash while the text is being deleted. */
export function formatExpiry(text: string, deleting: boolean): string {
  let digits = digitsOf(text);
  if (/^\d\s*\//.test(text.trim())) digits = `0${digits}`;
  // 2 to 9 can only be a month, and 13 to 19 only January and the first digit of a year.
  if (/^[2-9]/.test(digits) || /^1[3-9]/.test(digits)) digits = `0${digits}`;
  // Autofill enters the year with four digits.
  if (/^\d{2}20\d{2}$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (deleting && digits.length === 2)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function checkNumber(text: string): Check {
  const digits = digitsOf(text);
  if (digits === '') return { state: 'empty', problem: 'incomplete_number' };
  const length = lengthOf(ruleFor(digits));
  if (digits.length < length) return { state: 'incomplete', problem: 'incomplete_number' };
  const isValid = digits.length === length && passesLuhn(digits);
  return isValid ? { state: 'complete' } : { state: 'invalid', problem: 'invalid_number' };
}

export function checkExpiry(text: string, today: Date): Check {
  const digits = digitsOf(text);
  if (digits === '') return { state: 'empty', problem: 'incomplete_expiry' };
  const { month, year } = expiryOf(text);
  if (digits.length >= 2 && (month < 1 || month > 12)) {
    return { state: 'invalid', problem: 'invalid_expiry_month' };
  }
  if (digits.length < 4) return { state: 'incomplete', problem: 'incomplete_expiry' };
  if (year < today.getFullYear()) return { state: 'invalid', problem: 'invalid_expiry_year_past' };
  if (year > today.getFullYear() + 50) return { state: 'invalid', problem: 'invalid_expiry_year' };
  if (year === today.getFullYear() && month < today.getMonth() + 1) {
    return { state: 'invalid', problem: 'invalid_expiry_month_past' };
  }
  return { state: 'complete' };
}

/** Returns the month, from 1 to 12, and the year with four digits. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = digitsOf(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
}

export function checkCode(text: string, brand: Brand): Check {
  const length = digitsOf(text).length;
  if (length === 0) return { state: 'empty', problem: 'incomplete_cvc' };
  // Without a known brand, three digits count as complete although American Express needs four.
  if (length >= codeLength(brand)) return { state: 'complete' };
  return { state: 'incomplete', problem: 'incomplete_cvc' };
}

export function checkPostalCode(text: string): Check {
  const { length } = digitsOf(text);
  if (length === 0) return { state: 'empty', problem: 'incomplete_zip' };
  return length === 5 ? { state: 'complete' } : { state: 'incomplete', problem: 'incomplete_zip' };
}
