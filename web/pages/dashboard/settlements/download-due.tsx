import { useMutation } from '@tanstack/react-query';
import { exportAmountsDue } from '#contract/settlements.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { downloadFile } from '../../../ui/download-file.ts';

/** Downloads what is due to each seller as a CSV file. */
export function DownloadDue() {
  const api = useApi();
  const download = useMutation({
    mutationFn: () => api.call(exportAmountsDue, {}),
    onSuccess: ({ exportedAt, lines }) =>
      downloadFile(`coomercio-amounts-due-${exportedAt.slice(0, 10)}.csv`, {
        text: lines.map((line) => `${line}\r\n`).join(''),
        type: 'text/csv',
      }),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        variant="secondary"
        size="small"
        onClick={() => download.mutate()}
        busy={download.isPending && 'Preparing the file'}
      >
        Download as CSV
      </Button>
      {download.isError && (
        <p role="alert" className="text-red">
          {download.error.message}
        </p>
      )}
    </div>
  );
}
