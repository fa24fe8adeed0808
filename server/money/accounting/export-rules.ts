import type { ReceiptKind } from '#contract/money/accounting.ts';
import type { LedgerAccount, PostingKind } from '#contract/money/ledger.ts';
import { csvCents, csvText } from '#contract/platform/csv.ts';
import { currency } from '#contract/platform/money.ts';
import type { IssuedReceiptRow } from '../receipts/rules.ts';

// The lines of the CSV files for an accountant.

const optional = (text: string | null): string => (text === null ? '' : csvText(text));

/** An entry of the ledger with its posting. */
export interface ExportedEntry {
  /** Of the posting. */
  number: string;
  /** In the shop's time zone, such as `2026-11-30`. */
  day: string;
  kind: PostingKind;
  reference: string;
  account: LedgerAccount;
  amount_cents: string;
  order_id: string | null;
  seller_id: string | null;
}

/** The journal as lines: a line per entry, then the sums of both sides, which are equal. */
export async function* journalLines(batches: AsyncIterable<ExportedEntry[]>): AsyncGenerator<string[]> {
  const { code } = currency;
  yield [`Posting,Date,Kind,Reference,Account,Debit in ${code},Credit in ${code},Order,Seller id`];
  let [debits, credits] = [0n, 0n];
  for await (const entries of batches) {
    yield entries.map((entry) => {
      const cents = BigInt(entry.amount_cents);
      if (cents > 0n) debits += cents;
      else credits -= cents;
      return [
        entry.number,
        entry.day,
        entry.kind,
        csvText(entry.reference),
        entry.account,
        cents > 0n ? csvCents(cents) : '',
        cents < 0n ? csvCents(-cents) : '',
        entry.order_id ?? '',
        entry.seller_id ?? '',
      ].join(',');
    });
  }
  yield [`Total,,,,,${csvCents(debits)},${csvCents(credits)},,`];
}

/** A fee of the card processor with its movement. */
export interface ExportedFee {
  /** When it was posted, in the shop's time zone. */
  day: string;
  /** When the card processor took it; null for a fee that no stored movement has. */
  processor_day: string | null;
  /** The id of the balance transaction. */
  reference: string;
  category: string | null;
  /** The amount of the movement, before its fee. */
  amount_cents: string | null;
  fee_cents: string;
  transaction_id: string | null;
  order_id: string | null;
}

/** The fees as lines, then their sum, which is that of the journal's account `processor_fees`. */
export async function* feeLines(batches: AsyncIterable<ExportedFee[]>): AsyncGenerator<string[]> {
  const { code } = currency;
  yield [
    `Posted,At the card processor,Balance transaction,Kind,Movement in ${code},Fee in ${code},Payment,Order`,
  ];
  let total = 0n;
  for await (const fees of batches) {
    yield fees.map((fee) => {
      total += BigInt(fee.fee_cents);
      return [
        fee.day,
        fee.processor_day ?? '',
        csvText(fee.reference),
        optional(fee.category),
        fee.amount_cents === null ? '' : csvCents(BigInt(fee.amount_cents)),
        csvCents(BigInt(fee.fee_cents)),
        optional(fee.transaction_id),
        fee.order_id ?? '',
      ].join(',');
    });
  }
  yield [`Total,,,,,${csvCents(total)},,`];
}

/** The receipts as lines, then the sum of each kind. @param taxCentsOf the tax that is included in the amount of a receipt */
export async function* receiptLines(
  batches: AsyncIterable<IssuedReceiptRow[]>,
  taxCentsOf: (receipt: IssuedReceiptRow) => number,
): AsyncGenerator<string[]> {
  yield [
    `Number,Date,Kind,To,Laptop,Amount in ${currency.code},Tax in ${currency.code},Corrects,Order,Payment`,
  ];
  const totals = new Map<ReceiptKind, { cents: bigint; tax: bigint }>();
  for await (const receipts of batches) {
    yield receipts.map((receipt) => {
      const cents = BigInt(receipt.amount_cents);
      const tax = BigInt(taxCentsOf(receipt));
      const before = totals.get(receipt.kind) ?? { cents: 0n, tax: 0n };
      totals.set(receipt.kind, { cents: before.cents + cents, tax: before.tax + tax });
      return [
        receipt.receipt_number,
        receipt.day,
        receipt.kind,
        csvText(receipt.recipient_name),
        csvText(receipt.laptop_name),
        csvCents(cents),
        csvCents(tax),
        receipt.corrects ?? '',
        receipt.order_id,
        csvText(receipt.transaction_id),
      ].join(',');
    });
  }
  yield [...totals].map(
    ([kind, { cents, tax }]) => `Total,,${kind},,,${csvCents(cents)},${csvCents(tax)},,,`,
  );
}
