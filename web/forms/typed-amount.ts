import { currency } from '#contract/platform/money.ts';

/** The character before the cents in the language of the browser: a comma in most of Europe and South America, else a dot. */
function decimalSeparator(language: string): '.' | ',' {
  // With LANG=C Chromium's is `en-US@posix`, which is no language tag.
  const [tag] = language.split('@');
  const parts = new Intl.NumberFormat(tag).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/**
 * Reads amounts as people type them: `1,249.50` and `$ 80`, or `1.249,50` where the language has a decimal comma. The language decides
 * about `1.249` and `1,249`. Where it has a decimal comma, the shop's own way of writing amounts is read as well unless it is ambiguous.
 * @param language as of `navigator.language`
 * @returns the amount as requests have it, such as `1249.50`; null when it is none
 */
export function readAmount(typed: string, language = navigator.language): string | null {
  const text = typed.replace(currency.sign, '').replace(currency.code, '').trim();
  const [, whole, cents] =
    decimalSeparator(language) === ','
      ? (/^(\d{1,3}(?:[.\s'’]\d{3})+|\d+)(?:,(\d{0,2}))?$/.exec(text) ??
        /^(\d{1,3}(?:,\d{3})+|\d+)\.(\d{0,2})$/.exec(text) ??
        [])
      : (/^(\d{1,3}(?:[,\s'’]\d{3})+|\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? []);
  if (whole === undefined) return null;
  const units = whole.replace(/\D/g, '');
  return cents ? `${units}.${cents}` : units;
}

/** Writes an amount such as `549.99` with the decimal separator of the language. @param language as of `navigator.language` */
export const writeAmount = (amount: string, language = navigator.language): string =>
  amount.replace('.', decimalSeparator(language));

/** The amount for a request; the text itself when it is none, so that the contract's validation reports it. */
export const amountOrText = (typed: string): string => readAmount(typed) ?? typed.trim();
