import { useMutation } from '@tanstack/react-query';
import { slugOf } from '#contract/listings/slug.ts';
import type { Client } from '#contract/platform/client.ts';
import { useApi, useShop } from '../session/session.tsx';
import { SmallButton } from '../ui/button.tsx';
import { downloadFile } from '../ui/download-file.ts';
import { ErrorText } from '../ui/error-text.tsx';

interface DownloadButtonProps {
  label: string;
  busy?: string;
  /** Reads the file from the server. Its name begins with that of the shop. */
  read: (api: Client) => Promise<{ name: string; text: BlobPart; type: string }>;
}

/** A JSON file. */
export const jsonFile = (name: string, data: unknown) => ({
  name: `${name}.json`,
  text: `${JSON.stringify(data, null, 2)}\n`,
  type: 'application/json',
});

/** Downloads a file. */
export function DownloadButton({ label, busy = 'Preparing the file', read }: DownloadButtonProps) {
  const api = useApi();
  const shop = useShop();
  const download = useMutation({
    mutationFn: () => read(api),
    onSuccess: ({ name, ...file }) => downloadFile(`${slugOf(shop.name)}-${name}`, file),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <SmallButton onClick={() => download.mutate()} busy={download.isPending && busy}>
        {label}
      </SmallButton>
      {download.isError && <ErrorText>{download.error.message}</ErrorText>}
      <p role="status" className="empty:sr-only">
        {download.isSuccess && 'The file is in your browser’s downloads.'}
      </p>
    </div>
  );
}
