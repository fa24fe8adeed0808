import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id } from '#contract/platform/scalars.ts';
import { MeasurementCode } from './inspections.ts';

/** A measurement on the spot, compared with the one that the sale was about. */
export const SameLaptopCheck = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** `unknown`: nothing differs, but no serial number could be compared. */
  result: z.enum(['same', 'different', 'unknown']),
  differences: z.array(z.object({ subject: z.string(), before: z.string(), now: z.string() })),
  /** What was read before and not now, so that it was not compared. */
  unread: z.array(z.string()),
});
export type SameLaptopCheck = z.infer<typeof SameLaptopCheck>;

/** A code with which the laptop can be measured again now: its end, which the buyer compares with the code on the laptop. */
export const SameLaptopCode = z.object({
  ending: z.string(),
  /** ISO 8601 in UTC. */
  expiresAt: z.string(),
});
export type SameLaptopCode = z.infer<typeof SameLaptopCode>;

/** The most checks of an order that are shown, the latest first. */
export const MAXIMUM_SAME_LAPTOP_CHECKS = 10;

export const createSameLaptopCode = endpoint({
  method: 'POST',
  path: '/orders/:_id/measurementCode',
  access: ['Buyer', 'Seller'],
  summary:
    'A one-time code with which a sold laptop is measured again, to compare it: by the seller before the hand-over, by the buyer after its parcel has arrived; changes neither its level nor its certificate',
  params: z.object({ _id: Id }),
  response: MeasurementCode,
  refusals: ['not_found', 'order_moved', 'not_measured'],
  limit: 'measuring',
});
