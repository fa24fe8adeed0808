import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';

/** How many completed sales the shop must have before it publishes figures: fewer say nothing. */
export const MINIMUM_COMPLETED_SALES = 20;

export const ShopFigures = z.object({
  /** Paid orders, whatever became of them. */
  sales: z.int(),
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
  summary: `Sales, complaints and refunds of the shop, at most an hour old; null before ${MINIMUM_COMPLETED_SALES} completed sales`,
  answer: z.object({ figures: z.nullable(ShopFigures) }),
});
