import { currency, formatAmount } from '#contract/platform/money.ts';
import { type InsuranceClaim, listClaims, settleClaim } from '#contract/sales/labels.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useRead } from '../../../requests/reads.ts';
import { AmountInput, Field } from '../../../ui/field.tsx';
import { OrderBetween } from './order-between.tsx';

/** The form for what an insurance paid. */
function Claim({ claim }: { claim: InsuranceClaim }) {
  const { _id, orderId, productName, buyerName, sellerName, carrier, trackingNumber, insured } = claim;
  const form = useWriteForm(settleClaim, {
    defaultValues: { paid: '' },
    input: ({ paid }: { paid: string }) => ({
      params: { _id },
      body: { paid: Number(paid.replace(',', '.')) },
    }),
    done: 'It is recorded.',
  });
  return (
    <li className="card flex flex-col gap-3">
      <OrderBetween id={orderId} productName={productName} buyerName={buyerName} sellerName={sellerName} />
      <p className="wrap-anywhere">
        {carrier} <span className="figures">{trackingNumber}</span>, insured to {formatAmount(insured)}.
      </p>
      <RequestForm form={form} submit="Record it" busy="Saving" buttonClass="self-start">
        <Field
          label="What the insurance paid"
          error={form.errors.paid?.message}
          hint="It is the seller’s. 0 if it pays nothing."
          className="max-w-60"
        >
          <AmountInput sign={currency.sign} understood={undefined} required {...form.register('paid')} />
        </Field>
      </RequestForm>
    </li>
  );
}

/** Lost parcels that are insured. Missing while there is none. */
export function Claims() {
  const claims = useRead(listClaims, {}).data ?? [];
  if (claims.length === 0) return null;
  return (
    <section aria-labelledby="claims" className="mt-10">
      <h2 id="claims" className="text-2xl">
        Lost and insured
      </h2>
      <p className="mt-2 mb-4 max-w-prose text-muted">
        Claim these at EasyPost with the proof of the price, and record here what was paid.
      </p>
      <ul className="grid gap-4 md:grid-cols-2">
        {claims.map((claim) => (
          <Claim key={claim._id} claim={claim} />
        ))}
      </ul>
    </section>
  );
}
