import { formatCents } from '#contract/platform/money.ts';
import { carrierPaidPosting } from '#server/money/ledger/rules.ts';
import { post } from '#server/money/ledger/steps.ts';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import { centsOfFee } from './carriers.ts';
import * as store from './label-store.ts';

/** A label on a carrier's invoice. */
export interface InvoiceLine {
  shipmentId: string;
  trackingNumber: string;
  /** Label, postage and insurance. */
  amountCents: number;
  isRefunded: boolean;
}

/** The file is no report of the aggregator. Has a sentence for the operator. */
export class InvoiceFileError extends Error {
  override readonly name = 'InvoiceFileError';
}

/** Splits a line of a CSV file (RFC 4180). A report has no line break inside a value. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );

const amountColumns = ['label_fee', 'postage_fee', 'insurance_fee'] as const;

/**
 * Reads EasyPost's shipment report (https://docs.easypost.com/docs/reports), which has at least the columns id, tracking_code,
 * label_fee, postage_fee, insurance_fee and refund_status.
 * @throws InvoiceFileError
 */
export function parseInvoice(text: string): InvoiceLine[] {
  const [header, ...lines] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
  const names = cellsOf(header?.line ?? '');
  const missing = ['id', 'tracking_code', ...amountColumns, 'refund_status'].filter(
    (name) => !names.includes(name),
  );
  if (missing.length > 0) {
    throw new InvoiceFileError(
      `The file has no column ${missing.join(', ')}: it is no shipment report of EasyPost.`,
    );
  }
  return lines.map(({ line, number }) => {
    const cells = cellsOf(line);
    const cell = (name: string) => cells[names.indexOf(name)] ?? '';
    const amounts = amountColumns.map((name) => centsOfFee(cell(name) || '0'));
    if (cell('id') === '' || amounts.some((cents) => cents === null)) {
      throw new InvoiceFileError(`Line ${number} of the file has no id, or an amount that is none.`);
    }
    return {
      shipmentId: cell('id'),
      trackingNumber: cell('tracking_code').replace(/[\s-]/g, '').toUpperCase(),
      amountCents: amounts.reduce<number>((sum, cents) => sum + (cents ?? 0), 0),
      isRefunded: cell('refund_status') === 'refunded',
    };
  });
}

/** Compares a carrier's invoice with the labels of the shop. @returns a sentence for each difference */
export async function invoiceDifferences(reader: Reader, lines: readonly InvoiceLine[]): Promise<string[]> {
  const labels = await store.labelsOfShipments(
    reader,
    lines.map(({ shipmentId }) => shipmentId),
  );
  const byShipment = new Map(labels.map((label) => [label.shipment_id, label]));
  return lines.flatMap(({ shipmentId, trackingNumber, amountCents, isRefunded }) => {
    const label = byShipment.get(shipmentId);
    if (label?.bought_at == null) {
      return [
        `${shipmentId} (${trackingNumber}) for ${formatCents(amountCents)} is no label that this shop bought.`,
      ];
    }
    const knownCents = (label.cost_cents ?? 0) + (label.premium_cents ?? 0);
    const found: string[] = [];
    if (label.tracking_number !== trackingNumber) {
      found.push(`${shipmentId} is tracked as ${trackingNumber}; the shop knows ${label.tracking_number}.`);
    }
    if (amountCents !== knownCents) {
      found.push(
        `${shipmentId} is billed with ${formatCents(amountCents)}; the ledger has ${formatCents(knownCents)}.`,
      );
    }
    if (isRefunded !== (label.state === 'voided')) {
      found.push(
        `${shipmentId} is ${isRefunded ? 'given back' : 'not given back'}; the shop has it as ${label.state}.`,
      );
    }
    return found;
  });
}

/** A payment exceeds what the ledger owes carriers. Has a sentence for the operator. */
export class CarrierOverpaid extends Error {
  override readonly name = 'CarrierOverpaid';
}

/**
 * Records that the shop paid a carrier from its bank account.
 * @param isAhead whether it may exceed what the ledger owes carriers
 * @returns false when that was recorded before @throws CarrierOverpaid
 */
export const recordCarrierPayment = (
  database: Database,
  { reference, amountCents, isAhead }: { reference: string; amountCents: number; isAhead: boolean },
): Promise<boolean> =>
  database.transaction().execute(async (transaction) => {
    const owedCents = await store.lockOwedToCarriers(transaction);
    if (!(await post(transaction, carrierPaidPosting(reference, amountCents)))) return false;
    if (amountCents > owedCents && !isAhead) {
      throw new CarrierOverpaid(`The ledger owes carriers ${formatCents(Math.max(0, owedCents))}.`);
    }
    return true;
  });
