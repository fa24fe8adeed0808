import * as z from 'zod/mini';
import type { DeliveryOffer } from '#contract/listings/laptop-schemas.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import type { Address } from '#contract/sales/addresses.ts';
import { countryName } from '../formats/country-name.ts';
import type { FieldOf } from '../forms/fields-of.ts';
import { Radio } from '../ui/choice.tsx';
import { Field, TextInput } from '../ui/field.tsx';

const text = z._default(z.string(), '');

/** An address as it is typed. Its country is that of the laptop. */
export const AddressValues = z.object({
  name: text,
  line1: text,
  line2: text,
  city: text,
  region: text,
  postalCode: text,
});
export type AddressValues = z.output<typeof AddressValues>;
export const addressFields = z.keyof(AddressValues).options;

/** How a buyer gets a laptop, as it is typed. Both parts are kept, so that a change of mind loses nothing. */
export const DeliveryValues = z.extend(AddressValues, {
  delivery: z._default(z.enum(['meet', 'ship']), 'meet'),
  location: text,
});
export type DeliveryValues = z.output<typeof DeliveryValues>;

/** The ways in which a laptop is given to its buyer, and the country in which it is sent. */
export interface DeliveryOfLaptop {
  /** Missing where it is not known: both meet. */
  delivery?: DeliveryOffer;
  /** In ISO 3166. */
  ships_from?: string | undefined;
}

/** The way that a buyer chose, or the only one. */
export const chosenWay = (
  { delivery: offer = 'meet' }: DeliveryOfLaptop,
  chosen: DeliveryValues['delivery'],
) => (offer === 'both' ? chosen : offer);

/** The address of a request. */
export const toAddress = (values: AddressValues, country = ''): Address => ({
  ...AddressValues.parse(values),
  country,
});

/** The part of a request that says how the buyer gets the laptop. */
export function toDelivery(values: DeliveryValues, laptop: DeliveryOfLaptop) {
  return chosenWay(laptop, values.delivery) === 'meet'
    ? { location: values.location }
    : { delivery: 'ship' as const, address: toAddress(values, laptop.ships_from) };
}

/** The values of a form for a stored address. */
export const fromAddress = (address: Address | undefined): AddressValues =>
  AddressValues.parse(address ?? {});

/** The same for the only country to which a laptop is sent: an address in another one is of no use. */
export const fromAddressIn = (
  country: string | null | undefined,
  address: Address | undefined,
): AddressValues => fromAddress(address?.country === country ? address : undefined);

/** Where errors of a request are shown: about the country at the city, and about the way, which may not be a choice, below the form. */
export const shownAt = (path: string): string =>
  path === 'delivery' ? '' : path.replace(/country$/, 'city');

interface AddressFieldsProps {
  field: FieldOf<AddressValues>;
  /** The only country to which the laptop is sent, in ISO 3166. */
  country: string;
  /** What the first field is called. */
  nameLabel?: string;
}

/** The fields of a postal address, which browsers fill. */
export function AddressFields({ field, country, nameLabel = 'Recipient' }: AddressFieldsProps) {
  const isUnitedStates = country === 'US';
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field label={nameLabel} {...field('name')} className="sm:col-span-2">
        <TextInput autoComplete="shipping name" required />
      </Field>
      <Field label="Street and number" {...field('line1')} className="sm:col-span-2">
        <TextInput autoComplete="shipping address-line1" required />
      </Field>
      <Field label="Flat, floor or building" optional {...field('line2')} className="sm:col-span-2">
        <TextInput autoComplete="shipping address-line2" />
      </Field>
      <Field label="City" {...field('city')}>
        <TextInput autoComplete="shipping address-level2" required />
      </Field>
      <Field label={isUnitedStates ? 'State' : 'Province or county'} {...field('region')}>
        <TextInput autoComplete="shipping address-level1" />
      </Field>
      <Field label={isUnitedStates ? 'ZIP code' : 'Postal code'} {...field('postalCode')}>
        <TextInput autoComplete="shipping postal-code" />
      </Field>
      <Field label="Country" hint="Laptops stay in their country, because of the battery.">
        <TextInput readOnly value={countryName(country)} />
      </Field>
    </div>
  );
}

interface DeliveryFieldsProps {
  field: FieldOf<DeliveryValues>;
  laptop: DeliveryOfLaptop;
  /** The way that is chosen in the form. */
  chosen: DeliveryValues['delivery'];
}

const waysOf = () => ({
  meet: { label: 'Meet the seller', hint: 'You look at the laptop before you take it.' },
  ship: {
    label: 'Ships free',
    hint: `You have ${deadlineDays('delivered')} days to look at it once it has arrived.`,
  },
});

/** How the buyer gets a laptop: the choice, if its seller offers both ways, and the meeting place or the address. */
export function DeliveryFields({ field, laptop, chosen }: DeliveryFieldsProps) {
  return (
    <>
      {laptop.delivery === 'both' && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-semibold text-sm">How you get it</legend>
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {(['meet', 'ship'] as const).map((way) => (
              <label
                key={way}
                className="flex cursor-pointer items-start gap-3 rounded-lg border border-border p-3 hover:bg-subtle has-checked:border-accent has-checked:bg-accent-soft"
              >
                <Radio value={way} {...field('delivery').control} />
                <span className="min-w-0">
                  <span className="block font-semibold">{waysOf()[way].label}</span>
                  <span className="block text-sm">{waysOf()[way].hint}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {chosenWay(laptop, chosen) === 'meet' ? (
        <Field
          label="Meeting Location"
          {...field('location')}
          hint="Where you want to meet the seller, for example a café or a station."
        >
          <TextInput autoComplete="off" required />
        </Field>
      ) : (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1 font-semibold">Where it is sent, for free</legend>
          <p className="mb-1 text-muted text-sm">The seller reads the address once you have paid.</p>
          <AddressFields field={field} country={laptop.ships_from ?? ''} />
        </fieldset>
      )}
    </>
  );
}
