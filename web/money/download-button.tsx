import { useMutation } from '@tanstack/react-query';
import { slugOf } from '#contract/listings/slug.ts';
import { useShop } from '../session/session.tsx';
import { SmallButton } from '../ui/button.tsx';
import { ErrorText } from '../ui/error-text.tsx';
import { downloadCsvLines } from './csv.ts';

interface DownloadButtonProps {
  label: string;
  /** The name of the file before its date. */
  name: string;
  /** Reads the lines of the file from the server. */
  read: () => Promise<{ exportedAt: string; lines: readonly string[] }>;
}

/** Downloads a list as a CSV file. */
export function DownloadButton({ label, name, read }: DownloadButtonProps) {
  const shop = useShop();
  const download = useMutation({
    mutationFn: read,
    onSuccess: ({ exportedAt, lines }) =>
      downloadCsvLines(`${slugOf(shop.name)}-${name}-${exportedAt.slice(0, 10)}.csv`, lines),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <SmallButton onClick={() => download.mutate()} busy={download.isPending && 'Preparing the file'}>
        {label}
      </SmallButton>
      {download.isError && <ErrorText>{download.error.message}</ErrorText>}
    </div>
  );
}
