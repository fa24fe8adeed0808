// What all records have in common.

import { z } from 'zod';

/** Seconds since 1970. */
export const seconds = z.int();
export const record = z.object({ id: z.string(), created: seconds });
export const metadata = z.record(z.string(), z.string());

/** A part that is stored in Stripe's format, so that only its presence is checked. */
export const inStripesFormat = <T extends object>() =>
  z.custom<T>((value) => typeof value === 'object' && value !== null);

/** An object of Stripe's type, without what would always be null here. */
export type Partly<T> = T extends object ? { [Key in keyof T]?: Partly<T[Key]> } : T;
