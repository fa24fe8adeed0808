// Source: https://docs.stripe.com/currencies

const supported: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
);
const zeroDecimal: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);
const threeDecimal: ReadonlySet<string> = new Set('bhd jod kwd omr tnd'.split(' '));

/** Stripe's minimum for a charge, in the smallest unit of the currency. */
const minimums: Readonly<Record<string, number>> = {
  ...{
    aed: 200,
    aud: 50,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
    hkd: 400,
    huf: 17_500,
  },
  ...{
    inr: 50,
    jpy: 50,
    mxn: 1000,
    myr: 200,
    nok: 300,
    nzd: 50,
    pln: 200,
    ron: 200,
    sek: 300,
    sgd: 50,
    thb: 1000,
  },
  usd: 50,
};

export const isCurrency = (currency: string): boolean => supported.has(currency);

/** Stripe publishes no minimum for the other currencies. */
export const minimumOf = (currency: string): number => minimums[currency] ?? 1;

/** The amount of a currency with thousandths must end in 0. */
export const isChargeable = (amount: number, currency: string): boolean =>
  !threeDecimal.has(currency) || amount % 10 === 0;

/** How many of the smallest units are one unit. */
export const unitOf = (currency: string): number =>
  zeroDecimal.has(currency) ? 1 : threeDecimal.has(currency) ? 1000 : 100;

export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / unitOf(currency));
