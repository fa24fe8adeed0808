import type { Page } from '#contract/platform/client.ts';
import type { ReportedMessage } from '#contract/sales/message-reports.ts';
import { DateTime } from '../formats/date-time.tsx';
import { ListView } from '../lists/list-view.tsx';
import { type PageQuery, useList } from '../lists/use-list.ts';
import { EnlargeablePhotos } from '../ui/enlargeable-photos.tsx';

interface RecordedMessagesProps {
  /** The accessible name of the list. */
  label: string;
  queryKey: readonly string[];
  load: (query: PageQuery, signal: AbortSignal) => Promise<Page<ReportedMessage[]>>;
}

/** Messages that an admin may read, newest first. Mounted when the admin asks for them, because reading is recorded. */
export function RecordedMessages({ label, queryKey, load }: RecordedMessagesProps) {
  const messages = useList(queryKey, async (query, signal) => {
    const page = await load(query, signal);
    return { ...page, items: page.items.map((item) => ({ ...item, _id: String(item.sequence) })) };
  });
  return (
    <ListView list={messages} what="the messages" empty={<p className="text-muted">Nothing was written.</p>}>
      {(items) => (
        <ol aria-label={label} className="flex flex-col gap-3">
          {items.map(({ sequence, by, name, text, photos, at }) => (
            <li key={sequence} className="rounded-lg border border-border p-3">
              <p className="flex flex-wrap justify-between gap-x-4 [&_span]:inline!">
                <strong className="font-semibold wrap-anywhere">
                  {name} ({by})
                </strong>
                <DateTime at={at} />
              </p>
              <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere">
                {text}
              </p>
              <EnlargeablePhotos title={`Photos by ${name}`} urls={photos} />
            </li>
          ))}
        </ol>
      )}
    </ListView>
  );
}
