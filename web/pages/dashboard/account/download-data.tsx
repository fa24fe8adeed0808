import { useMutation } from '@tanstack/react-query';
import { readOwnData } from '#contract/privacy.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Section } from './section.tsx';

/** Starts a download of a text file. */
function downloadFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads the user's stored data as a JSON file. */
export function DownloadData() {
  const api = useApi();
  const download = useMutation({
    mutationFn: () => api.call(readOwnData, {}),
    onSuccess: (data) =>
      downloadFile(
        `coomercio-my-data-${data.exportedAt.slice(0, 10)}.json`,
        `${JSON.stringify(data, null, 2)}\n`,
      ),
  });
  return (
    <Section title="Your data">
      <p className="max-w-prose text-quiet">
        All data that the shop stores about you, in one file: your account, laptops, bookings, wishlist,
        payments and reports.
      </p>
      <Button
        variant="secondary"
        size="small"
        onClick={() => download.mutate()}
        busy={download.isPending && 'Gathering your data'}
      >
        Download my data
      </Button>
      {download.isError && (
        <p role="alert" className="rounded-lg bg-red-soft px-4 py-3">
          {download.error.message}
        </p>
      )}
      {download.isSuccess && <p role="status">Your data are in your browser’s downloads.</p>}
    </Section>
  );
}
