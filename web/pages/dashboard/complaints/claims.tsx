import { formatAmount } from '#contract/platform/money.ts';
import { type InsuranceClaim, listClaims, settleClaim } from '#contract/sales/labels.ts';
import { AmountField } from '../../../forms/amount-field.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { readAmount } from '../../../forms/typed-amount.ts';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useRead } from '../../../requests/reads.ts';
import { Section } from '../../../ui/section.tsx';
import { OrderBetween } from './order-between.tsx';

/** The typed amount as a request has it: no number when it is none or missing, so that the contract refuses it. */
export const paidAmount = (typed: string): number => Number(readAmount(typed) ?? Number.NaN);

/** The form for what an insurance paid. */
function Claim({ claim }: { claim: InsuranceClaim }) {
  const { _id, orderId, productName, buyerName, sellerName, carrier, trackingNumber, insured } = claim;
  const form = useWriteForm(settleClaim, {
    defaultValues: { paid: '' },
    input: ({ paid }: { paid: string }) => ({
      params: { _id },
      body: { paid: paidAmount(paid) },
    }),
    done: 'It is recorded.',
  });
  return (
    <li className="card flex flex-col gap-3">
      <OrderBetween id={orderId} productName={productName} buyerName={buyerName} sellerName={sellerName} />
      <p className="wrap-anywhere">
        {carrier} <span className="figures">{trackingNumber}</span>, insured for {formatAmount(insured)}.
      </p>
      <RequestForm form={form} submit="Record it" busy="Saving" buttonClass="self-start">
        <AmountField
          control={form.control}
          name="paid"
          label="What the insurance paid"
          hint="It is the seller’s. 0 if it pays nothing."
          className="max-w-60"
          required
        />
      </RequestForm>
    </li>
  );
}

/** Lost parcels that are insured. Missing while there is none. */
export function Claims() {
  const claims = useRead(listClaims, {}).data ?? [];
  if (claims.length === 0) return null;
  return (
    <Section title="Lost and insured" heading="text-2xl" className="mt-10">
      <p className="mt-2 mb-4 max-w-prose text-muted">
        Claim these at EasyPost with the proof of the price, and record here what was paid.
      </p>
      <ul className="grid gap-4 md:grid-cols-2">
        {claims.map((claim) => (
          <Claim key={claim._id} claim={claim} />
        ))}
      </ul>
    </Section>
  );
}
