import { amountFromCents, centsFromAmount, formatCents } from '#contract/platform/money.ts';
import type { InsuranceClaim } from '#contract/sales/labels.ts';
import { insurancePaidPosting, insuranceReturnedPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type Caller, requireUninvolved } from '#server/platform/http/serve.ts';
import { paymentSubject } from '../payments/rules.ts';
import { type ClaimRow, findClaim } from './insurance-claim-store.ts';
import { updateLabel } from './label-store.ts';
import { lockLabel } from './labels.ts';

/** The response for a claim. */
export const toClaim = (row: ClaimRow): InsuranceClaim => ({
  _id: row.id,
  type: row.claim_type ?? 'loss',
  orderId: row.order_id,
  productName: row.laptop_name,
  buyerName: row.buyer_name,
  sellerName: row.seller_name,
  carrier: row.carrier ?? '',
  trackingNumber: row.tracking_number ?? '',
  insured: amountFromCents(row.insured_cents),
  claimable: amountFromCents(row.claimable_cents),
  paid: amountFromCents(row.claim_paid_cents ?? 0),
  tracking: row.tracking,
});

/**
 * Records what the insurance pays for a lost or damaged parcel, or leaves of its payment for one that was found.
 * @param paidBefore what the caller was shown as paid before @param paid the whole amount; both in the currency of the shop @throws Refusal
 */
export function recordClaimPayment(
  { database }: { database: Database },
  admin: Caller,
  id: string,
  { paidBefore, paid }: { paidBefore: number; paid: number },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const locked = await lockLabel(transaction, id);
    const claim = locked && (await findClaim(transaction, id));
    if (!locked || !claim) throw new Refusal('not_found', 'There is no such open claim.');
    const { order } = locked;
    requireUninvolved(admin, order.buyer_id, order.seller_id);
    const paidCents = claim.claim_paid_cents;
    if (toClaim(claim).paid !== paidBefore) {
      throw new Refusal(
        'changed_elsewhere',
        'Meanwhile the insurance has paid, and the parcel was found. Nothing was recorded now; please look at the claim again: it asks what the insurance leaves.',
      );
    }
    const mostCents = paidCents ?? claim.claimable_cents;
    const amountCents = centsFromAmount(paid);
    if (amountCents === null || amountCents > mostCents) {
      const error =
        paidCents === null
          ? `An insurance pays from 0 to ${formatCents(mostCents)}`
          : `Of what it paid, an insurance leaves from 0 to ${formatCents(mostCents)}`;
      throw new Refusal('invalid_input', `${error}. Nothing was recorded.`, { errors: { paid: error } });
    }
    const isPaid = amountCents > 0;
    await updateLabel(transaction, id, {
      claim: paidCents !== null ? 'found' : isPaid ? 'paid' : 'refused',
      claim_paid_cents: isPaid ? amountCents : null,
    });
    const entry = { orderId: order.id, sellerId: order.seller_id };
    const returnedCents = (paidCents ?? 0) - amountCents;
    if (paidCents === null && isPaid) {
      await post(transaction, insurancePaidPosting(id, { ...entry, amountCents }));
    } else if (returnedCents > 0) {
      await post(transaction, insuranceReturnedPosting(id, { ...entry, amountCents: returnedCents }));
    }
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Settled insurance claim',
      laptopId: order.laptop_id,
      subject: paymentSubject(order.laptop_name, order.transaction_id),
      note:
        paidCents !== null
          ? `The parcel was found. The insurance took ${formatCents(returnedCents)} back.`
          : isPaid
            ? `The insurance paid ${formatCents(amountCents)}.`
            : 'The insurance pays nothing.',
    });
  });
}
