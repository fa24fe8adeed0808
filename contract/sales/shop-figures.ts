import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';

/** How many of the latest sales are counted. */
export const COUNTED_SALES = 200;

/** How many of them must be completed before the figures are published: fewer say nothing. */
export const MINIMUM_COMPLETED_SALES = 20;

/** Counts of the latest {@link COUNTED_SALES} sales. */
export const ShopFigures = z.object({
  /** Paid orders, whatever became of them. */
  sales: z.int().check(z.maximum(COUNTED_SALES)),
  /** Orders about which their buyers complained. */
  complaints: z.int(),
  /** Orders of which the price or a part of it went back to the buyer. */
  refunded: z.int(),
  /** The median time from a complaint to its decision by the seller, the shop or a deadline, in days; null without a decision. */
  medianDaysToDecide: z.nullable(z.number()),
});
export type ShopFigures = z.infer<typeof ShopFigures>;

export const readShopFigures = endpoint({
  method: 'GET',
  path: '/shopFigures',
  access: 'public',
  summary: `Complaints and refunds of the latest sales; null before ${MINIMUM_COMPLETED_SALES} of them are completed`,
  response: z.object({ figures: z.nullable(ShopFigures) }),
});
