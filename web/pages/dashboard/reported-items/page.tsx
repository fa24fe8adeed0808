import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { href } from 'react-router';
import { listReportedItems, type ReportedItem } from '#contract/listings/reports.ts';
import type { Page } from '#contract/platform/client.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTabs, useChosenList } from '../../../lists/list-tabs.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { keyOf, useRefresh } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';
import { SecondaryLink } from '../../../ui/button.tsx';
import { ReportedConversations } from './reported-conversations.tsx';
import { ReportedLaptop } from './reported-laptop.tsx';

export const meta = privateMeta('Reported Items');

const lists = [
  { name: 'laptops', label: 'Laptops' },
  { name: 'conversations', label: 'Conversations' },
] as const;

export default function ReportedItems() {
  const chosen = useChosenList(['laptops', 'conversations']);
  return (
    <>
      <PageHeading title="Reported Items">
        Reported laptops, those with open reports first, and reported conversations. Each decision is recorded
        in the audit trail, and that you read a conversation.
      </PageHeading>
      <ListTabs label="Lists of reports" tabs={lists} chosen={chosen} />
      {chosen === 'laptops' ? <ReportedLaptops /> : <ReportedConversations />}
    </>
  );
}

/** The reported laptops. */
function ReportedLaptops() {
  const api = useApi();
  const cache = useQueryClient();
  const refreshAll = useRefresh('reportedItems');
  const items = useList(listReportedItems);

  /** Refetches one laptop in place. A refetch of the list would move a resolved laptop to a page that is not loaded. */
  async function refreshLaptop(laptop: string) {
    const latest = await api.call(listReportedItems, { query: { laptop } });
    cache.setQueryData<InfiniteData<Page<ReportedItem[]>>>(keyOf(listReportedItems), (list) =>
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
      list={items}
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
