import { useWatch } from 'react-hook-form';
import { readFacts } from '#contract/listings/facts.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { centsFromAmount, centsFromText, formatAmount } from '#contract/platform/money.ts';
import { readShippingEstimates } from '#contract/sales/labels.ts';
import { countryName } from '../formats/country-name.ts';
import { listOf } from '../formats/list-of.ts';
import { readAmount } from '../forms/typed-amount.ts';
import { estimatedLabelCents, leftSentence } from '../money/left-for-seller.ts';
import { type ResponseOf, useRead } from '../requests/reads.ts';
import { useSettings } from '../session/session.tsx';
import { Field, Select } from '../ui/field.tsx';
import { useLaptopForm } from './use-laptop-form.ts';

type Estimates = ResponseOf<typeof readShippingEstimates>;

const noEstimates: Estimates = {
  ...{ hasLabels: false, sizes: [], insurance: 0, leastInsurance: 0, borneBy: 'seller' },
};

/** What a label of the shop costs within a country, as far as carriers say it before its purchase. */
export function LabelPrice({ estimates, country }: { estimates: Estimates; country: string }) {
  const { hasLabels, sizes, insurance, leastInsurance, borneBy } = estimates;
  if (!hasLabels) return null;
  if (sizes.length === 0) {
    return (
      <span className="mt-1 block">
        {borneBy === 'shop'
          ? 'The shop buys the cheapest label and pays for it.'
          : `You can buy the label here. There is no estimate for parcels within ${countryName(country)}: the price is shown when you buy the label.`}
      </span>
    );
  }
  const prices = sizes.map(({ upTo, price }) => `${formatAmount(price)} up to ${upTo}″`);
  return (
    <span className="mt-1 block">
      {borneBy === 'shop'
        ? 'The shop buys the cheapest label and pays for it. It costs'
        : 'You can buy the label here, for'}{' '}
      about {listOf(prices)}, and {insurance} % of the price to insure it, at least{' '}
      {formatAmount(leastInsurance)}.
    </span>
  );
}

/** What is left of the typed price for the seller, and a warning when that is nothing. */
function LeftForSeller({ estimates }: { estimates: Estimates }) {
  const { control } = useLaptopForm();
  const { percent, fixed } = useSettings().selling.commission;
  const [typed, delivery, screen] = useWatch({ control, name: ['resale_price', 'delivery', 'Display'] });
  const priceCents = centsFromText(readAmount(typed) ?? '');
  const commission = { basisPoints: Math.round(percent * 100), fixedCents: centsFromAmount(fixed) ?? 0 };
  const labelCents =
    delivery === 'meet' || !priceCents
      ? null
      : estimatedLabelCents(priceCents, estimates, readFacts({ Display: screen }).screen);
  const isUnknown =
    labelCents === null && delivery !== 'meet' && estimates.hasLabels && estimates.borneBy === 'seller';
  const left = priceCents ? leftSentence(priceCents, commission, labelCents, delivery === 'both') : null;
  return (
    <p
      role="status"
      className={`text-sm empty:sr-only sm:col-span-2 ${left?.isLeft === false ? 'font-semibold text-danger' : 'text-muted'}`}
    >
      {left !== null && `${left.text}${isUnknown ? ' The price of a label of the shop comes off that.' : ''}`}
    </p>
  );
}

/** How the buyer gets the laptop, and who pays for a parcel. */
export function DeliveryField() {
  const { control, field, formState } = useLaptopForm();
  const { shippingCountries } = useSettings();
  // Without the stored one, of a laptop or a draft, a refusal of it could be neither seen nor mended.
  const stored = formState.defaultValues?.ships_from;
  const countries = [...new Set([...shippingCountries, ...(stored ? [stored] : [])])];
  const [delivery, shipsFrom] = useWatch({ control, name: ['delivery', 'ships_from'] });
  const country = shipsFrom || shippingCountries[0] || '';
  const { data: estimates = noEstimates } = useRead(
    readShippingEstimates,
    { query: { country } },
    { enabled: delivery !== 'meet' },
  );
  return (
    <>
      <Field
        label="How the buyer gets it"
        {...field('delivery')}
        className="sm:col-span-2"
        hint={
          delivery === 'meet' ? (
            'You agree on a place and a time in Messages.'
          ) : (
            <>
              Shipping costs the buyer nothing. Send it within {deadlineDays('to_ship')} days of the payment.
              You bear a lost parcel:{' '}
              {estimates.hasLabels && 'a label of the shop is insured to the price, and '}a label of your own
              you choose, pay and insure yourself. The money is yours {deadlineDays('delivered')} days after
              it has arrived, or when the buyer says that all is well.
              <LabelPrice estimates={estimates} country={country} />
            </>
          )
        }
      >
        <Select>
          <option value="meet">We meet</option>
          <option value="ship">I send it for free</option>
          <option value="both">Both, as the buyer likes</option>
        </Select>
      </Field>
      <LeftForSeller estimates={estimates} />
      {delivery !== 'meet' && countries.length > 1 && (
        <Field
          label="Ships from"
          {...field('ships_from')}
          className="sm:col-span-2"
          hint="It is sent within this country only, because of the battery."
        >
          <Select>
            {countries.map((country, index) => (
              // Without a choice the shop takes the first country.
              <option key={country} value={index === 0 && shipsFrom === '' ? '' : country}>
                {countryName(country)}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  );
}
