import { DAY_MS } from '#contract/platform/durations.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import type { ShippingBearer } from '#contract/platform/shop-settings.ts';
import { type CarrierAddress, type Carriers, CarriersRefusal, CarriersUnavailable } from './carriers.ts';
import { parcelSizes } from './label-rules.ts';

const cityHall = (line1: string, city: string, region: string, postalCode: string): CarrierAddress => ({
  ...{ name: 'City Hall', line1, line2: undefined, city, region, postalCode },
  ...{ country: 'US', phone: '+1 202 555 0100' },
});

/**
 * Two public addresses of a country that are far from each other: most parcels cost less. Of another country nothing is asked: which
 * carriers serve it depends on the shop's account, and the price is shown when the label is bought.
 */
const routes: Readonly<Record<string, readonly [from: CarrierAddress, to: CarrierAddress]>> = {
  US: [
    cityHall('1 City Hall Park', 'New York', 'NY', '10007'),
    cityHall('200 N Spring St', 'Los Angeles', 'CA', '90012'),
  ],
};

type Sizes = { upTo: number; price: number }[];

/** How long an estimate is given again, in milliseconds. */
const KEEP_MS = DAY_MS;

/** Creates the estimates of labels, each asked of carriers once a day. They promise nothing: a label has a price of its own. */
export function createEstimates(carriers: Carriers | null, shop: () => { shippingBorneBy: ShippingBearer }) {
  const known = new Map<string, { sizes: Promise<Sizes>; askedAt: number }>();

  async function ask(country: string): Promise<Sizes> {
    const route = routes[country];
    if (carriers === null || route === undefined) return [];
    const [from, to] = route;
    const quotes = await Promise.all(
      parcelSizes.map(async ({ upTo, size }) => {
        const { rates } = await carriers.quote({ from, to, size, isReturn: false, reference: 'estimate' });
        return rates.slice(0, 1).map(({ amountCents }) => ({ upTo, price: amountFromCents(amountCents) }));
      }),
    );
    return quotes.flat();
  }

  return async (country: string) => {
    let found = known.get(country);
    if (found === undefined || Date.now() - found.askedAt > KEEP_MS) {
      found = { sizes: ask(country), askedAt: Date.now() };
      known.set(country, found);
    }
    const sizes = await found.sizes.catch((error: unknown): Sizes => {
      known.delete(country);
      if (error instanceof CarriersUnavailable || error instanceof CarriersRefusal) return [];
      throw error;
    });
    return {
      hasLabels: carriers !== null,
      sizes,
      insurance: amountFromCents(carriers?.premium(100_000) ?? 0) / 10,
      leastInsurance: amountFromCents(carriers?.premium(1) ?? 0),
      borneBy: shop().shippingBorneBy,
    };
  };
}
