import { type Control, type FieldErrors, type UseFormRegister, useWatch } from 'react-hook-form';
import { clockDays } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { readShippingEstimates } from '#contract/sales/labels.ts';
import { useRead } from '../requests/reads.ts';
import { useSettings } from '../session/session.tsx';
import { Field, Select } from '../ui/field.tsx';
import type { FormValues } from './form-values.ts';

interface DeliveryFieldProps {
  register: UseFormRegister<FormValues>;
  control: Control<FormValues>;
  errors: FieldErrors<FormValues>;
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** What a label of the shop costs, as far as carriers say it. */
function LabelPrice({ country }: { country: string }) {
  const {
    sizes = [],
    insurance = 0,
    borneBy,
  } = useRead(readShippingEstimates, { query: { country } }).data ?? {};
  if (sizes.length === 0) return null;
  const prices = sizes.map(({ upTo, price }) => `${formatAmount(price)} up to ${upTo}″`);
  return (
    <span className="mt-1 block">
      {borneBy === 'shop'
        ? 'The shop pays for labels that it buys. They cost'
        : 'You can buy the label here, for'}{' '}
      about {new Intl.ListFormat('en').format(prices)}, and {insurance} % of the price to insure it.
    </span>
  );
}

/** How the buyer gets the laptop, and who pays for a parcel. */
export function DeliveryField({ register, control, errors }: DeliveryFieldProps) {
  const { shippingCountries } = useSettings();
  const [delivery, shipsFrom] = useWatch({ control, name: ['delivery', 'ships_from'] });
  return (
    <>
      <Field
        label="How the buyer gets it"
        error={errors.delivery?.message}
        className="sm:col-span-2"
        hint={
          delivery === 'meet' ? (
            'You agree on a place and a time in Messages.'
          ) : (
            <>
              Shipping costs the buyer nothing: you choose a carrier and pay for the parcel, and you bear a
              lost one, so insure it to the price. Send it within {clockDays('to_ship')} days of the payment.
              The money is yours {clockDays('delivered')} days after it has arrived, or when the buyer says
              that all is well.
              <LabelPrice country={shipsFrom || shippingCountries[0] || ''} />
            </>
          )
        }
      >
        <Select {...register('delivery')}>
          <option value="meet">We meet</option>
          <option value="ship">I send it for free</option>
          <option value="both">Both, as the buyer likes</option>
        </Select>
      </Field>
      {delivery !== 'meet' && shippingCountries.length > 1 && (
        <Field
          label="Ships from"
          error={errors.ships_from?.message}
          className="sm:col-span-2"
          hint="It is sent within this country only, because of the battery."
        >
          <Select {...register('ships_from')}>
            {shippingCountries.map((country, index) => (
              // Without a choice the shop takes the first country.
              <option key={country} value={index === 0 && shipsFrom === '' ? '' : country}>
                {countryNames.of(country)}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  );
}
