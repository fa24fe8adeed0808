import { formatAmount } from '#contract/platform/money.ts';
import { type InsuranceClaim, listClaims, recordClaimPayment } from '#contract/sales/labels.ts';
import { AmountField } from '../../../forms/amount-field.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { readAmount } from '../../../forms/typed-amount.ts';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useRead } from '../../../requests/reads.ts';
import { Section } from '../../../ui/section.tsx';
import { OrderBetween } from './order-between.tsx';

/** The typed amount as a request has it: no number when it is none or missing, so that the contract refuses it. */
export const paidAmount = (typed: string): number => Number(readAmount(typed) ?? Number.NaN);

/** The form for what an insurance pays. */
function Claim({ claim }: { claim: InsuranceClaim }) {
  const { _id, type, carrier, trackingNumber, insured, claimable, paid } = claim;
  const form = useWriteForm(recordClaimPayment, {
    defaultValues: { paid: '' },
    input: ({ paid }: { paid: string }) => ({
      params: { _id },
      body: { paidBefore: claim.paid, paid: paidAmount(paid) },
    }),
    done: 'It is recorded.',
  });
  return (
    <li className="card flex flex-col gap-3">
      <OrderBetween id={claim.orderId} sale={claim} />
      <p className="wrap-anywhere">
        {carrier} <span className="figures">{trackingNumber}</span>, insured for {formatAmount(insured)}.{' '}
        {type === 'damage' &&
          'It arrived damaged. The photos of the damage and of what was sent, and the words of both, are on the order. '}
        {paid === 0 &&
          claimable < insured &&
          `The insurance paid for another parcel of this laptop, so it pays at most ${formatAmount(claimable)} for this one. `}
        {paid > 0 &&
          `The insurance paid ${formatAmount(paid)}, and the parcel was found: the insurance can ask for its money back.`}
      </p>
      <RequestForm form={form} submit="Record it" busy="Saving" buttonClass="self-start">
        <AmountField
          control={form.control}
          name="paid"
          label={paid > 0 ? 'What it leaves of that' : 'What the insurance paid'}
          hint={
            paid > 0
              ? `0 if it takes everything back, ${formatAmount(paid)} if nothing. The rest is taken from the seller.`
              : 'It is the seller’s. 0 if it pays nothing.'
          }
          className="max-w-60"
          required
        />
      </RequestForm>
    </li>
  );
}

/** Insured parcels that are lost or damaged, or were found after they were paid for. Missing while there is none. */
export function Claims() {
  const claims = useRead(listClaims, {}).data ?? [];
  if (claims.length === 0) return null;
  return (
    <Section
      title="Insured parcels"
      heading="text-2xl"
      className="mt-10"
      hint="Claim lost and damaged parcels at EasyPost with the proof of the price, a damage also with its photos, and record here what was paid. If a lost one is found afterwards, it is listed again: tell EasyPost, and record what is left of the payment."
    >
      <ul className="grid gap-4 md:grid-cols-2">
        {claims.map((claim) => (
          <Claim key={claim._id} claim={claim} />
        ))}
      </ul>
    </Section>
  );
}
