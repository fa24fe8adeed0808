import * as z from 'zod/mini';
import { CountryCode, line, optionalLine } from '#contract/platform/scalars.ts';
import { stateLetters } from './us-states.ts';

const Place = z.object({
  region: z.optional(z.string()),
  postalCode: z.optional(z.string()),
  country: z.string(),
});
type Place = z.infer<typeof Place>;

/** Also checks an address in which other fields are wrong, so that all errors are shown at once. */
const when = ({ value }: { value: unknown }) => Place.safeParse(value).success;

/** The parts of an address in the United States that say where the others are. Other countries have theirs on the server. */
const placeRules = <Typed extends Place>() => [
  z.overwrite<Typed>((typed) =>
    typed.country === 'US' && typed.region !== undefined
      ? { ...typed, region: stateLetters(typed.region) ?? typed.region }
      : typed,
  ),
  z.refine<Typed>(
    ({ country, region }) => country !== 'US' || (region !== undefined && stateLetters(region) !== undefined),
    { when, path: ['region'], error: 'Enter a state, such as OR or Oregon' },
  ),
  z.refine<Typed>(({ country, postalCode }) => country !== 'US' || postalCode !== undefined, {
    when,
    path: ['postalCode'],
    error: 'Enter the ZIP code',
  }),
  z.refine<Typed>(
    ({ country, postalCode }) =>
      country !== 'US' || postalCode === undefined || /^\d{5}(-\d{4})?$/.test(postalCode),
    { when, path: ['postalCode'], error: 'A ZIP code has five digits, such as 97205' },
  ),
];

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

/** A postal address, as it is typed. The server checks it by the rules of its country. */
export const Address = addressParts.check(...placeRules<z.output<typeof addressParts>>());
export type Address = z.infer<typeof Address>;

/** An address as it is printed on a label. */
export const PrintedAddress = z.object({
  address: Address,
  /** In the order of its country, with the country’s name last. */
  lines: z.array(z.string()),
});
export type PrintedAddress = z.infer<typeof PrintedAddress>;
