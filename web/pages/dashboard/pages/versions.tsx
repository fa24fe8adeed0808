import { useState } from 'react';
import {
  type ContentDetails,
  type ContentVersion,
  readContentVersion,
} from '#contract/operations/content.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/section.tsx';
import { actionColumn, Table } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toast.tsx';

interface VersionsProps {
  page: ContentDetails;
  /** Whether the form has something that is not saved. */
  isTyped: boolean;
  onRestore: (texts: { title: string; description: string; body: string }) => void;
}

/** The versions of a page, each of which can be taken into the form. */
export function Versions({ page: { _id, versions, publishedVersion }, isTyped, onRestore }: VersionsProps) {
  const api = useApi();
  const [asked, setAsked] = useState<number | null>(null);

  async function restore(version: number) {
    setAsked(null);
    try {
      onRestore(await api.call(readContentVersion, { params: { _id, version } }));
      toast.success(`The text of version ${version} is in the form. Save it to use it.`);
    } catch (error) {
      toast.error(errorMessage(error));
    }
  }

  return (
    <Section title="Versions" heading="mb-3 text-2xl" className="mt-10">
      <Table<ContentVersion>
        caption="Table of versions"
        columns={[
          {
            heading: 'Version',
            lead: true,
            cell: ({ version }) => (
              <span className="flex flex-wrap items-center gap-3">
                <span className="figures font-semibold">{version}</span>
                {version === publishedVersion && <Badge tone="good">Published</Badge>}
              </span>
            ),
          },
          {
            heading: 'Saved by',
            cell: ({ savedBy }) => <span className="wrap-anywhere">{savedBy ?? 'Sample of a new shop'}</span>,
          },
          { heading: 'Saved', cell: ({ savedAt }) => <DateTime at={savedAt} /> },
          actionColumn(({ version }) => (
            <SmallButton
              aria-label={`Restore version ${version}`}
              onClick={() => (isTyped ? setAsked(version) : void restore(version))}
            >
              Restore
            </SmallButton>
          )),
        ]}
        rows={versions}
        rowKey={({ version }) => String(version)}
      />
      <AlertDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title="Replace what you typed?"
        message="The form has changes that are not saved. The text of the version takes their place."
        closeLabel="Cancel"
        confirm={{ label: 'Replace it', onConfirm: () => asked !== null && void restore(asked) }}
      />
    </Section>
  );
}
