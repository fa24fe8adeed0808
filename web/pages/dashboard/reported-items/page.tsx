import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { href } from 'react-router';
import { listReportedItems, type ReportedItem } from '#contract/listings/reports.ts';
import type { Page } from '#contract/platform/client.ts';
import {
  type ConversationReport,
  listConversationReports,
  readReportedMessages,
  resolveConversationReport,
} from '#contract/sales/message-reports.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { WriteButton } from '../../../forms/write-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { queryKeyOf, useRefetch } from '../../../requests/reads.ts';
import { refetch } from '../../../requests/refetch.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SecondaryLink, SmallButton } from '../../../ui/button.tsx';
import { ReportedLaptop } from './reported-laptop.tsx';

const lists = [
  { name: 'laptops', label: 'Laptops' },
  { name: 'conversations', label: 'Conversations' },
] as const;

function Report({ report }: { report: ConversationReport }) {
  const [isRead, setIsRead] = useState(false);
  const { _id, productName, reporterName, reportedName, note, reportedAt, state } = report;
  const queries = useQueryClient();
  return (
    <article aria-label={`${reporterName} reports ${reportedName}`} className="card flex flex-col gap-3">
      <h2 className="flex flex-wrap items-center gap-3 text-lg">
        {reporterName} reports {reportedName}
        <Badge tone={state === 'Open' ? 'warm' : 'neutral'}>{state}</Badge>
      </h2>
      <p className="text-muted text-sm wrap-anywhere [&_span]:inline!">
        {productName}, <DateTime at={reportedAt} />
      </p>
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {note}
      </p>
      {isRead && (
        <RecordedMessages label="Reported messages, newest first" endpoint={readReportedMessages} id={_id} />
      )}
      <div className="flex flex-wrap gap-2">
        {!isRead && <SmallButton onClick={() => setIsRead(true)}>Read the messages</SmallButton>}
        {state === 'Open' && (
          <WriteButton
            endpoint={resolveConversationReport}
            input={{ params: { _id }, body: {} }}
            done="The report is resolved."
            // Not the messages: the audit trail records each time that they are read.
            read={() => refetch(queries, { queryKey: queryKeyOf(listConversationReports) })}
            busy="Resolving"
          >
            Resolve
          </WriteButton>
        )}
      </div>
    </article>
  );
}

export default function ReportedItems() {
  const chosen = useChosenList(['laptops', 'conversations']);
  return (
    <>
      <PageHeading title="Reported Items">
        Reported laptops, those with open reports first, and reported conversations. Each decision is recorded
        in the audit trail, and that you read a conversation.
      </PageHeading>
      <ListTabs label="Lists of reports" tabs={lists} chosen={chosen} />
      {chosen === 'laptops' ? (
        <ReportedLaptops />
      ) : (
        <ListCards
          endpoint={listConversationReports}
          what="the reported conversations"
          emptyTitle="No conversation is reported"
          empty="When somebody reports a conversation, you can read what was written until then. The audit trail records that you did."
          card={(report) => <Report report={report} />}
        />
      )}
    </>
  );
}

/** The reported laptops. */
function ReportedLaptops() {
  const api = useApi();
  const cache = useQueryClient();
  const refreshAll = useRefetch('reportedItems');

  /** Refetches one laptop in place. A refetch of the list would move a resolved laptop to a page that is not loaded. */
  async function refreshLaptop(laptop: string) {
    const latest = await api.call(listReportedItems, { query: { laptop } });
    cache.setQueryData<InfiniteData<Page<ReportedItem[]>>>(queryKeyOf(listReportedItems), (list) =>
      list === undefined
        ? undefined
        : {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              items: page.items.flatMap((item) => (item._id === laptop ? latest : [item])),
            })),
          },
    );
  }

  return (
    <ListCards
      endpoint={listReportedItems}
      what="the reported items"
      emptyTitle="No reports yet"
      emptyAction={<SecondaryLink to={href('/dashboard/allSellers')}>Go to All Sellers</SecondaryLink>}
      empty="Laptops that people report appear here with the reason they gave, and those that the shop itself finds in two listings. You dismiss the report or take the laptop down."
      card={(item) => (
        // The refetched list shows its own failure.
        <ReportedLaptop item={item} refresh={() => refreshLaptop(item._id).catch(refreshAll)} />
      )}
    />
  );
}
