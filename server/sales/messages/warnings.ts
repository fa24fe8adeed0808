import type { MessageWarning } from '#contract/sales/messages.ts';

/** Characters that are not seen, and accents, with which words can be hidden from a filter. */
const invisible = /[\p{Cf}\p{M}]/gu;

/**
 * Non-Latin letters and CJK compatibility squares (U+3300–33FF). Replaced by one letter before NFKC, which expands a single one to
 * up to 18 characters.
 */
const otherLetters = /[^\p{Script=Latin}\P{L}]|[\u3300-\u33ff]/gu;
const ANY_LETTER = 'ß';

/** A scheme, `www.`, or the end of a host name. A single character before the dot keeps it linear. */
const link =
  /:\/\/|\bwww\.|[\p{L}\d]\.(?:com|net|org|info|biz|shop|store|online|site|xyz|app|dev|link|click|top|io|me|co|ly|gg|uk|eu|de|fr|es|pt|nl|ru|cn|br)(?![\p{L}\d])/u;

/** The beginning of an account number (ISO 13616), also in groups of four. */
const accountNumber = /(?<![a-z\d])[a-z]{2}\d{2} ?[a-z\d]{4} ?\d{4} ?\d{3}/;

/** What pays outside the shop, where it protects nobody. Each is found as whole words. */
const payments = [
  'wire transfer',
  'wire the money',
  'wire me',
  'bank transfer',
  'transfer the money',
  'western union',
  'moneygram',
  'paypal',
  'pay pal',
  'friends and family',
  'zelle',
  'venmo',
  'cash app',
  'cashapp',
  'revolut',
  'skrill',
  'gift card',
  'gift cards',
  'giftcard',
  'voucher code',
  'crypto',
  'bitcoin',
  'btc',
  'ethereum',
  'usdt',
  'iban',
  'routing number',
  'account number',
  'sort code',
  'in cash',
  'pay cash',
  'cash only',
  'deposit first',
  'pay outside',
  'pay me directly',
  'pay directly',
  'outside the shop',
  'without the shop',
  'outside of the shop',
] as const;

/** The warnings for the reader of a message. Takes time linear in its length. */
export function warningsOf(text: string): MessageWarning[] {
  // Combining marks first: NFKC reorders long runs of them slowly.
  const plain = text
    .replace(invisible, '')
    .replace(otherLetters, ANY_LETTER)
    .normalize('NFKC')
    .replace(invisible, '')
    .toLowerCase();
  const words = ` ${plain.replace(/[^\p{L}\d]+/gu, ' ')} `;
  return [
    ...(link.test(plain) ? (['link'] as const) : []),
    ...(payments.some((phrase) => words.includes(` ${phrase} `)) || accountNumber.test(plain)
      ? (['payment'] as const)
      : []),
  ];
}
