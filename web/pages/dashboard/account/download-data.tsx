import { useMutation } from '@tanstack/react-query';
import { slugOf } from '#contract/listings/slug.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { useApi, useShop } from '../../../session/session.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { downloadFile } from '../../../ui/download-file.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { CardSection } from '../../../ui/section.tsx';

/** Downloads the user's stored data as a JSON file. */
export function DownloadData() {
  const api = useApi();
  const shop = useShop();
  const download = useMutation({
    mutationFn: () => api.call(readOwnData, {}),
    onSuccess: (data) =>
      downloadFile(`${slugOf(shop.name)}-my-data-${data.exportedAt.slice(0, 10)}.json`, {
        text: `${JSON.stringify(data, null, 2)}\n`,
        type: 'application/json',
      }),
  });
  return (
    <CardSection
      title="Your data"
      hint="All data that the shop stores about you, in one file: your account, laptops, bookings, wishlist, payments and reports."
    >
      <SmallButton onClick={() => download.mutate()} busy={download.isPending && 'Gathering your data'}>
        Download my data
      </SmallButton>
      {download.isError && <ProblemNotice>{download.error.message}</ProblemNotice>}
      <p role="status" className="empty:sr-only">
        {download.isSuccess && 'Your data are in your browser’s downloads.'}
      </p>
    </CardSection>
  );
}
