import * as z from 'zod/mini';
import { CountryCode, line, optionalLine } from '#contract/platform/scalars.ts';

/** A postal address, as it is typed. The server checks it by the rules of its country. */
export const Address = z.object({
  name: line(100, 'Name the person who receives the parcel'),
  /** Street and house number. */
  line1: line(100, 'Street and house number are required'),
  /** Such as a flat, or a building. */
  line2: optionalLine(100),
  city: line(80, 'The city is required'),
  /** A state, province or county, where addresses of the country have one. */
  region: optionalLine(80),
  postalCode: optionalLine(16),
  country: CountryCode,
});
export type Address = z.infer<typeof Address>;

/** An address as it is printed on a label. */
export const PrintedAddress = z.object({
  address: Address,
  /** In the order of its country, with the country’s name last. */
  lines: z.array(z.string()),
});
export type PrintedAddress = z.infer<typeof PrintedAddress>;
