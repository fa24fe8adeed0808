import * as z from 'zod/mini';
import { CountryCode, line, optionalLine } from '#contract/platform/scalars.ts';
import { stateLetters } from './us-states.ts';

const addressParts = z.object({
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

const Place = z.pick(addressParts, { region: true, postalCode: true, country: true });

/** Whether the rules of a country can be asked: also of an address in which other fields are wrong, so that all errors are shown at once. */
const hasPlace = ({ value }: { value: unknown }) => Place.safeParse(value).success;

/**
 * A postal address, as it is typed. Of one in the United States the state and the ZIP code are checked here, which a form shows beside its
 * other errors; the rest, and the rules of other countries, are the server's.
 */
export const Address = addressParts.check(
  z.overwrite((typed) =>
    typed.country === 'US' && typed.region !== undefined
      ? { ...typed, region: stateLetters(typed.region) ?? typed.region }
      : typed,
  ),
  z.refine(({ country, region }) => country !== 'US' || stateLetters(region ?? '') !== undefined, {
    when: hasPlace,
    path: ['region'],
    error: 'Enter a state, such as OR or Oregon',
  }),
  z.refine(({ country, postalCode }) => country !== 'US' || postalCode !== undefined, {
    when: hasPlace,
    path: ['postalCode'],
    error: 'Enter the ZIP code',
  }),
  z.refine(
    ({ country, postalCode }) =>
      country !== 'US' || postalCode === undefined || /^\d{5}(-\d{4})?$/.test(postalCode),
    { when: hasPlace, path: ['postalCode'], error: 'A ZIP code has five digits, such as 97205' },
  ),
);
export type Address = z.infer<typeof Address>;

/** An address as it is printed on a label. */
export const PrintedAddress = z.object({
  address: Address,
  /** In the order of its country, with the country’s name last. */
  lines: z.array(z.string()),
});
export type PrintedAddress = z.infer<typeof PrintedAddress>;
