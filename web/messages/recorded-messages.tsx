import type { ReportedMessage } from '#contract/sales/message-reports.ts';
import { DateTime } from '../formats/date-time.tsx';
import { ListView } from '../lists/list-view.tsx';
import type { ListEndpoint } from '../requests/reads.ts';
import { EnlargeablePhotos } from '../ui/enlargeable-photos.tsx';

interface RecordedMessagesProps {
  /** The accessible name of the list. */
  label: string;
  endpoint: ListEndpoint<ReportedMessage>;
  /** The id in the path of the call. */
  id: string;
}

/** Messages that an admin may read, newest first. Mounted when the admin asks for them, because reading is recorded. */
export function RecordedMessages({ label, endpoint, id }: RecordedMessagesProps) {
  return (
    <ListView
      endpoint={endpoint}
      parameters={{ params: { _id: id } }}
      what="the messages"
      empty={<p className="text-muted">Nothing was written.</p>}
    >
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
