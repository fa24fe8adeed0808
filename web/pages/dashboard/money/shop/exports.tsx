import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { slugOf } from '#contract/listings/slug.ts';
import { exportFees, exportJournal, exportReceipts } from '#contract/money/accounting.ts';
import { downloadCsvLines } from '../../../../money/csv.ts';
import { PeriodFields, thisMonth } from '../../../../money/period-fields.tsx';
import { useApi, useSettings } from '../../../../session/session.tsx';
import { Button } from '../../../../ui/button.tsx';
import { ErrorText } from '../../../../ui/error-text.tsx';
import { Section } from '../../../../ui/section.tsx';

const files = [
  { name: 'journal', label: 'Journal', endpoint: exportJournal },
  { name: 'receipts', label: 'Receipts', endpoint: exportReceipts },
  { name: 'fees', label: 'Fees', endpoint: exportFees },
] as const;

/** Downloads of a period for an accountant, and the list of its receipts. */
export function Exports() {
  const api = useApi();
  const { timeZone, shop } = useSettings();
  const [period, setPeriod] = useState(() => thisMonth(timeZone));
  const download = useMutation({
    mutationFn: async ({ endpoint, name }: (typeof files)[number]) => ({
      name,
      ...(await api.call(endpoint, { query: period })),
    }),
    onSuccess: ({ name, lines }) =>
      downloadCsvLines(`${slugOf(shop.name)}-${name}-${period.from}-${period.until}.csv`, lines),
  });
  return (
    <Section title="For the accountant" className="mt-10">
      <p className="mt-1.5 mb-4 max-w-prose text-muted">
        Every entry of the ledger, every receipt, and every fee of the card processor in a period, as CSV
        files. Days are those of the shop’s time zone, {timeZone}.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <PeriodFields period={period} onChange={setPeriod} />
        {files.map((file) => (
          <Button
            key={file.name}
            variant="secondary"
            onClick={() => download.mutate(file)}
            disabled={download.isPending}
            busy={download.isPending && download.variables.name === file.name && 'Preparing the file'}
          >
            {file.label} as CSV
          </Button>
        ))}
        <Link
          to={`${href('/dashboard/allReceipts')}?${new URLSearchParams({ ...period })}`}
          className="py-2.5 font-semibold text-link hover:underline"
        >
          Receipts of the period
        </Link>
      </div>
      {download.isError && <ErrorText className="mt-3">{download.error.message}</ErrorText>}
    </Section>
  );
}
