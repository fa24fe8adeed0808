import { href, Link, useNavigate, useParams } from 'react-router';
import { readStatement, type Statement, type StatementLine } from '#contract/money/accounting.ts';
import { csvCents, csvText } from '#contract/platform/csv.ts';
import { currency, formatCents } from '#contract/platform/money.ts';
import { ShopDay } from '../../../../formats/date-time.tsx';
import { utcMonth } from '../../../../formats/utc-dates.ts';
import { DownloadButton } from '../../../../forms/download-button.tsx';
import { csvFile } from '../../../../money/csv.ts';
import styles from '../../../../money/print.css?url';
import { PrintButton } from '../../../../money/print-button.tsx';
import { QueryView } from '../../../../requests/query-view.tsx';
import { useRead } from '../../../../requests/reads.ts';
import { usePerson, useShop } from '../../../../session/session.tsx';
import { Field, TextInput } from '../../../../ui/field.tsx';
import { type Column, nameColumn, Table } from '../../../../ui/table.tsx';

export const links = () => [{ rel: 'stylesheet', href: styles }];

const kindNames: Readonly<Record<StatementLine['kind'], string>> = {
  release: 'Sale released',
  refund_decided: 'Refund to the buyer',
  dispute_lost: 'Taken back by the buyer’s bank',
  dispute_reinstated: 'Dispute of the buyer’s bank decided anew',
  transfer: 'Paid out',
  transfer_reversed: 'Payout taken back',
  settled_by_hand: 'Paid out',
  repaid_by_hand: 'Repaid by you',
  written_off: 'Debt given up by the shop',
  goodwill: 'Goodwill of the shop',
  label_charged: 'Label of a parcel',
  insurance_paid: 'Insurance of a lost parcel',
  insurance_returned: 'Taken back by the insurance, because the parcel was found',
  correction: 'Correction',
};

type Row = StatementLine & { key: string };

const columns: Column<Row>[] = [
  nameColumn('What', ({ kind }) => kindNames[kind]),
  { heading: 'Date', cell: ({ date }) => <ShopDay date={date} /> },
  {
    heading: 'Laptop',
    cell: ({ productName }) => productName !== null && <span className="wrap-anywhere">{productName}</span>,
  },
  { heading: 'Amount', figures: true, cell: ({ cents }) => formatCents(cents) },
];

/** The lines of a statement's CSV file. */
const csvLines = ({ month, openingCents, lines, closingCents }: Statement): string[] => [
  `Date,What,Laptop,Order,Amount in ${currency.code}`,
  `${month}-01,Owed to you before,,,${csvCents(openingCents)}`,
  ...lines.map(({ date, kind, productName, orderId, cents }) =>
    [date, csvText(kindNames[kind]), csvText(productName ?? ''), orderId ?? '', csvCents(cents)].join(','),
  ),
  `,Owed to you afterwards,,,${csvCents(closingCents)}`,
];

/** A balance before or after the lines. */
function Balance({ name, cents }: { name: string; cents: number }) {
  return (
    <p className="flex justify-between gap-4 px-3 py-2">
      <span>{name}</span>
      <strong className="figures">{formatCents(cents)}</strong>
    </p>
  );
}

function PrintedStatement({ statement }: { statement: Statement }) {
  const { name } = usePerson();
  const shop = useShop();
  const rows = statement.lines.map((line, index): Row => ({ ...line, key: String(index) }));
  return (
    <article data-printed aria-labelledby="statement">
      <h1 id="statement" className="text-3xl">
        Statement of {utcMonth(statement.month)}
      </h1>
      <p className="mt-1.5 mb-6 text-muted">
        What {shop.name} owes {name}, after commission. Months and days are those of the shop’s time zone,{' '}
        {statement.timeZone}.
      </p>
      <Balance name="Owed before" cents={statement.openingCents} />
      {rows.length === 0 ? (
        <p className="rounded-xl border border-border border-dashed p-6 text-muted">
          Nothing changed in this month. A sale appears here when its money is released to you.
        </p>
      ) : (
        <Table caption="Changes in this month" columns={columns} rows={rows} rowKey={({ key }) => key} />
      )}
      <Balance name="Owed afterwards" cents={statement.closingCents} />
    </article>
  );
}

/** A seller's month, to read, print and download. */
export default function StatementPage() {
  const navigate = useNavigate();
  const { month = '' } = useParams();
  const statement = useRead(readStatement, { query: { month } });
  const { data } = statement;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <Field label="Month" className="w-48">
          <TextInput
            type="month"
            value={month}
            min="2020-01"
            onChange={({ target }) => {
              if (target.value === '') return;
              void navigate(href('/dashboard/statement/:month', { month: target.value }), {
                replace: true,
                preventScrollReset: true,
              });
            }}
          />
        </Field>
        {data !== undefined && (
          <DownloadButton
            label="Download CSV"
            read={async () => csvFile(`statement-${month}`, csvLines(data))}
          />
        )}
        <PrintButton />
        <Link
          to={href('/dashboard/receipts')}
          className="py-1.5 font-semibold text-link text-sm hover:underline"
        >
          All receipts
        </Link>
      </div>
      <QueryView query={statement} what="this statement" back="money">
        {(loaded) => <PrintedStatement statement={loaded} />}
      </QueryView>
    </>
  );
}
