import { useState } from 'react';
import { href, Link } from 'react-router';
import { type AccountFile, accountFiles, exportAccounts } from '#contract/money/accounting.ts';
import { DownloadButton } from '../../../../forms/download-button.tsx';
import { csvFile } from '../../../../money/csv.ts';
import { PeriodFields, thisMonth } from '../../../../money/period-fields.tsx';
import { useSettings } from '../../../../session/session.tsx';
import { Section } from '../../../../ui/section.tsx';

const labels: Readonly<Record<AccountFile, string>> = {
  journal: 'Journal',
  receipts: 'Receipts',
  fees: 'Fees',
};

/** Downloads of a period for an accountant, and the list of its receipts. */
export function Exports() {
  const { timeZone } = useSettings();
  const [period, setPeriod] = useState(() => thisMonth(timeZone));
  return (
    <Section title="For the accountant" className="mt-10">
      <p className="mt-1.5 mb-4 max-w-prose text-muted">
        Every entry of the ledger, every receipt, and every fee of the card processor in a period, as CSV
        files. Days are those of the shop’s time zone, {timeZone}.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <PeriodFields period={period} onChange={setPeriod} />
        {accountFiles.map((file) => (
          <DownloadButton
            key={file}
            label={`${labels[file]} as CSV`}
            read={async ({ call }) => {
              const { lines } = await call(exportAccounts, { params: { file }, query: period });
              return csvFile(`${file}-${period.from}-${period.until}`, lines);
            }}
          />
        ))}
        <Link
          to={`${href('/dashboard/allReceipts')}?${new URLSearchParams({ ...period })}`}
          className="py-2.5 font-semibold text-link hover:underline"
        >
          Receipts of the period
        </Link>
      </div>
    </Section>
  );
}
