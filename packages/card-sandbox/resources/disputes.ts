import { z } from 'zod';
import { invalidParameter, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { listEndpoint, retrieveEndpoint } from '../api/lists.ts';
import { expand, flag, readId, readParameters, text } from '../api/parameters.ts';
import { newRecord, nowInSeconds } from '../identifiers.ts';
import type { Charge, Dispute } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { recordReinstatement, recordWithdrawal } from './movements.ts';
import { settleRefund } from './refunds.ts';

/** How long evidence is accepted, in seconds. */
const EVIDENCE_PERIOD = 9 * 24 * 60 * 60;

const updateParameters = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: text.optional() }).optional(),
  submit: flag.default(true),
  expand,
});

export type Verdict = 'won' | 'lost' | 'escalated';

/** Stripe's evidence texts that decide a dispute in test mode. After any other text it stays under review. */
const verdicts: ReadonlyMap<string, Verdict> = new Map([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
  ['escalate_inquiry_evidence', 'escalated'],
]);

const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');

/**
 * Opens a dispute: a chargeback withdraws the money, an inquiry does not. Banks dispute wholly refunded charges, too. Call it
 * only inside the store's `run`.
 */
export function openDispute(store: Store, disputed: Charge, kind: 'chargeback' | 'inquiry'): void {
  for (const refund of store.all('refund')) {
    if (refund.charge === disputed.id && refund.lacksFunds) {
      settleRefund(store, { ...refund, failureReason: 'charge_for_pending_refund_disputed' }, 'failed');
    }
  }
  const charge = store.find('charge', disputed.id) ?? disputed;
  const remaining = charge.amount - charge.amountRefunded;
  const dispute: Dispute = {
    ...newRecord('dispute', 'du'),
    amount: remaining || charge.amount,
    currency: charge.currency,
    charge: charge.id,
    intent: charge.intent,
    status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
    dueBy: nowInSeconds() + EVIDENCE_PERIOD,
    evidence: null,
    submissions: 0,
  };
  store.put({ ...charge, dispute: dispute.id });
  if (!isInquiry(dispute)) recordWithdrawal(store, dispute);
  putAndEmit(store, null, dispute, 'charge.dispute.created');
  if (!isInquiry(dispute)) emit(store, null, 'charge.dispute.funds_withdrawn', dispute);
}

/** Turns an inquiry into a chargeback, which withdraws the money. */
function escalate(store: Store, call: Call | null, inquiry: Dispute): Dispute {
  const chargeback: Dispute = {
    ...inquiry,
    status: 'needs_response',
    dueBy: nowInSeconds() + EVIDENCE_PERIOD,
    evidence: null,
    submissions: 0,
  };
  recordWithdrawal(store, chargeback);
  return putAndEmit(store, call, chargeback, 'charge.dispute.updated', 'charge.dispute.funds_withdrawn');
}

export function applyVerdict(store: Store, call: Call | null, dispute: Dispute, verdict: Verdict): Dispute {
  if (verdict === 'escalated') return isInquiry(dispute) ? escalate(store, call, dispute) : dispute;
  const closed: Dispute = { ...dispute, status: isInquiry(dispute) ? 'warning_closed' : verdict };
  if (closed.status === 'won') recordReinstatement(store, closed);
  putAndEmit(store, call, closed, 'charge.dispute.closed');
  if (closed.status === 'won') emit(store, call, 'charge.dispute.funds_reinstated', closed);
  return closed;
}

/** Returns the money of a lost dispute, which the bank has decided again. Call it only inside the store's `run`. */
export function reinstate(store: Store, dispute: Dispute): void {
  const won: Dispute = { ...dispute, status: 'won' };
  recordReinstatement(store, won);
  putAndEmit(store, null, won, 'charge.dispute.updated', 'charge.dispute.funds_reinstated');
}

/** @throws {ApiError} if the dispute does not exist or is closed */
function findOpenDispute(store: Store, id: string): Dispute {
  const dispute = requireRecord(store, 'dispute', id);
  if (dispute.status === 'won' || dispute.status === 'lost' || dispute.status === 'warning_closed') {
    throw invalidParameter('dispute', `This dispute is already closed: ${id}`);
  }
  return dispute;
}

function update(store: Store, call: Call): Dispute {
  const given = readParameters(updateParameters, call.parameters);
  const dispute = findOpenDispute(store, call.id);
  const evidence = given.evidence?.uncategorized_text ?? dispute.evidence;
  const submitted = given.submit && evidence !== null;
  const updated: Dispute = {
    ...dispute,
    evidence,
    status: submitted ? (isInquiry(dispute) ? 'warning_under_review' : 'under_review') : dispute.status,
    submissions: dispute.submissions + (submitted ? 1 : 0),
  };
  putAndEmit(store, call, updated, 'charge.dispute.updated');
  const verdict = submitted ? verdicts.get(evidence) : undefined;
  return verdict === undefined ? updated : applyVerdict(store, call, updated, verdict);
}

const close = (store: Store, call: Call) =>
  applyVerdict(store, call, findOpenDispute(store, readId(call)), 'lost');

export const disputeEndpoints: Endpoint[] = [
  listEndpoint('dispute', '/v1/disputes', { payment_intent: ({ intent }) => intent }),
  retrieveEndpoint('dispute', '/v1/disputes'),
  { method: 'POST', path: '/v1/disputes/:id', handle: update },
  { method: 'POST', path: '/v1/disputes/:id/close', handle: close },
];
