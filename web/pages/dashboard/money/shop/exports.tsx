import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { slugOf } from '#contract/listings/slug.ts';
import { exportFees, exportJournal, exportReceipts } from '#contract/money/accounting.ts';
import { today } from '../../../../formats/shop-days.ts';
import { downloadCsvLines } from '../../../../money/csv.ts';
import { useApi, useSettings } from '../../../../session/session.tsx';
import { Button } from '../../../../ui/button.tsx';
import { ErrorText } from '../../../../ui/error-text.tsx';
import { Field, TextInput } from '../../../../ui/field.tsx';
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
  const [from, setFrom] = useState(() => `${today(timeZone).slice(0, 7)}-01`);
  const [until, setUntil] = useState(() => today(timeZone));
  const download = useMutation({
    mutationFn: async ({ endpoint, name }: (typeof files)[number]) => ({
      name,
      ...(await api.call(endpoint, { query: { from, until } })),
    }),
    onSuccess: ({ name, lines }) =>
      downloadCsvLines(`${slugOf(shop.name)}-${name}-${from}-${until}.csv`, lines),
  });
  return (
    <Section title="For the accountant" className="mt-10">
      <p className="mt-1.5 mb-4 max-w-prose text-muted">
        Every entry of the ledger, every receipt, and every fee of the card processor in a period, as CSV
        files. Days are those of the shop’s time zone, {timeZone}.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="From" className="w-44">
          <TextInput type="date" value={from} max={until} onChange={({ target }) => setFrom(target.value)} />
        </Field>
        <Field label="Until" className="w-44">
          <TextInput type="date" value={until} min={from} onChange={({ target }) => setUntil(target.value)} />
        </Field>
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
          to={`${href('/dashboard/allReceipts')}?${new URLSearchParams({ from, until })}`}
          className="py-2.5 font-semibold text-link hover:underline"
        >
          Receipts of the period
        </Link>
      </div>
      {download.isError && <ErrorText className="mt-3">{download.error.message}</ErrorText>}
    </Section>
  );
}
