import { z } from 'zod';
import { badParameter, noSuch } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { isOfPayment, ofPayment, page } from '../api/lists.ts';
import { expand, flag, readParameters, text } from '../api/parameters.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Charge, Dispute } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { emit } from '../webhooks/events.ts';
import { renderDispute } from './render-dispute.ts';

/** How long a bank waits for evidence, in seconds. */
const patience = 9 * 24 * 60 * 60;

const retrieveParameters = z.strictObject({ expand });
const updateParameters = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: text.optional() }).optional(),
  submit: flag.default(true),
  expand,
});

type Verdict = 'won' | 'lost' | 'escalated';

/** What Stripe publishes as evidence that decides a dispute in test mode; any other is looked at, without an end. */
const verdicts: ReadonlyMap<string, Verdict> = new Map([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
  ['escalate_inquiry_evidence', 'escalated'],
]);

const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');

/** A cardholder disputes a charge: the bank takes the money back until it is decided. Only inside the ledger's `run`. */
export function openDispute(ledger: Ledger, charge: Charge): void {
  const left = charge.amount - charge.amountRefunded;
  // What has gone back whole cannot be disputed.
  if (left === 0) {
    ledger.put({ ...charge, willBeDisputed: false });
    return;
  }
  const created = nowInSeconds();
  const dispute: Dispute = {
    kind: 'dispute',
    id: newId('du'),
    created,
    amount: left,
    currency: charge.currency,
    charge: charge.id,
    intent: charge.intent,
    status: charge.asInquiry ? 'warning_needs_response' : 'needs_response',
    dueBy: created + patience,
    evidence: null,
    submissions: 0,
  };
  ledger.put(dispute);
  ledger.put({ ...charge, willBeDisputed: false, dispute: dispute.id });
  emit(ledger, null, 'charge.dispute.created', renderDispute(dispute));
  if (!isInquiry(dispute)) emit(ledger, null, 'charge.dispute.funds_withdrawn', renderDispute(dispute));
}

/** An inquiry becomes a chargeback: only now the bank takes the money back. */
function escalate(ledger: Ledger, call: Call, inquiry: Dispute): Dispute {
  const chargeback: Dispute = {
    ...inquiry,
    status: 'needs_response',
    dueBy: nowInSeconds() + patience,
    evidence: null,
    submissions: 0,
  };
  ledger.put(chargeback);
  emit(ledger, call, 'charge.dispute.updated', renderDispute(chargeback));
  emit(ledger, call, 'charge.dispute.funds_withdrawn', renderDispute(chargeback));
  return chargeback;
}

function decide(ledger: Ledger, call: Call, dispute: Dispute, verdict: Verdict): Dispute {
  if (verdict === 'escalated') return isInquiry(dispute) ? escalate(ledger, call, dispute) : dispute;
  if (isInquiry(dispute)) {
    const ended: Dispute = { ...dispute, status: 'warning_closed' };
    ledger.put(ended);
    emit(ledger, call, 'charge.dispute.closed', renderDispute(ended));
    return ended;
  }
  const status = verdict;
  const closed: Dispute = { ...dispute, status };
  ledger.put(closed);
  emit(ledger, call, 'charge.dispute.closed', renderDispute(closed));
  if (status === 'won') emit(ledger, call, 'charge.dispute.funds_reinstated', renderDispute(closed));
  return closed;
}

/** @throws {Refusal} when there is none */
function findDispute(ledger: Ledger, id: string): Dispute {
  const dispute = ledger.find('dispute', id);
  if (dispute === undefined) throw noSuch('dispute', id, 'dispute');
  return dispute;
}

/** @throws {Refusal} when there is none, or when it is decided */
function findOpen(ledger: Ledger, id: string): Dispute {
  const dispute = findDispute(ledger, id);
  if (dispute.status === 'won' || dispute.status === 'lost' || dispute.status === 'warning_closed') {
    throw badParameter('dispute', `This dispute is already closed: ${id}`);
  }
  return dispute;
}

function update(ledger: Ledger, call: Call): Dispute {
  const given = readParameters(updateParameters, call.parameters);
  const dispute = findOpen(ledger, call.id);
  const evidence = given.evidence?.uncategorized_text ?? dispute.evidence;
  const submitted = given.submit && evidence !== null;
  const updated: Dispute = {
    ...dispute,
    evidence,
    status: submitted ? (isInquiry(dispute) ? 'warning_under_review' : 'under_review') : dispute.status,
    submissions: dispute.submissions + (submitted ? 1 : 0),
  };
  ledger.put(updated);
  emit(ledger, call, 'charge.dispute.updated', renderDispute(updated));
  const verdict = submitted ? verdicts.get(evidence) : undefined;
  return verdict === undefined ? updated : decide(ledger, call, updated, verdict);
}

export function disputeEndpoints(ledger: Ledger): Endpoint[] {
  const path = '/v1/disputes';
  return [
    {
      method: 'GET',
      path,
      fromBrowser: false,
      handle(call) {
        const asked = readParameters(ofPayment, call.parameters);
        return page(path, 'dispute', ledger.all('dispute').filter(isOfPayment(asked)), asked, renderDispute);
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      fromBrowser: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        return { ...renderDispute(findDispute(ledger, call.id)) };
      },
    },
    {
      method: 'POST',
      path: `${path}/:id`,
      fromBrowser: false,
      handle: (call) => ({ ...renderDispute(update(ledger, call)) }),
    },
    {
      method: 'POST',
      path: `${path}/:id/close`,
      fromBrowser: false,
      handle(call) {
        readParameters(retrieveParameters, call.parameters);
        return { ...renderDispute(decide(ledger, call, findOpen(ledger, call.id), 'lost')) };
      },
    },
  ];
}
