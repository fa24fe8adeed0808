import { href, Link, useParams } from 'react-router';
import {
  type ContentItem,
  type ContentKind,
  contentKinds,
  deleteContent,
  listContent,
} from '#contract/operations/content.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Badge } from '../../../ui/badge.tsx';
import { SecondaryLink } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, menuColumn, Table } from '../../../ui/table.tsx';
import { ContentEditor, contentPath, NewContent } from './editor.tsx';

/** The part of the URL of a new page or post. */
const newIds: Readonly<Record<string, ContentKind>> = { newPage: 'page', newPost: 'post' };

function State({ publishedVersion, version }: ContentItem) {
  if (publishedVersion === null) return <Badge>Draft</Badge>;
  return publishedVersion === version ? (
    <Badge tone="good">Published</Badge>
  ) : (
    <Badge tone="warm">Published, changes not yet</Badge>
  );
}

const columns: Column<ContentItem>[] = [
  {
    heading: 'Page',
    lead: true,
    cell: (item) => (
      <span className="min-w-0">
        <Link
          to={href('/dashboard/pages/:id?', { id: item._id })}
          className="font-semibold wrap-anywhere hover:underline"
        >
          {item.title}
        </Link>
        <span className="block text-muted text-sm wrap-anywhere">{contentPath(item)}</span>
      </span>
    ),
  },
  { heading: 'State', cell: (item) => <State {...item} /> },
  { heading: 'Saved', cell: ({ savedAt }) => <DateTime at={savedAt} /> },
];

const names: Readonly<Record<ContentKind, { title: string; empty: string }>> = {
  page: {
    title: 'Pages',
    empty: 'Published pages, such as terms, privacy and imprint, are in the footer of every page.',
  },
  post: { title: 'Blog posts', empty: 'Published posts are on the blog, the newest first.' },
};

function ContentTable({ kind, items }: { kind: ContentKind; items: readonly ContentItem[] }) {
  const { title, empty } = names[kind];
  return (
    <Section title={title} id={`all-${kind}`} heading="mb-3 text-2xl" className="mt-8">
      {items.length === 0 ? (
        <EmptyState title={`No ${kind}s yet`}>{empty}</EmptyState>
      ) : (
        <Table
          caption={`Table of ${title.toLowerCase()}`}
          columns={[
            ...columns,
            menuColumn<ContentItem>(
              (item) =>
                item.publishedVersion === null && (
                  <RowMenu
                    name={item.title}
                    deletion={{
                      consequence: 'All its versions are deleted.',
                      endpoint: deleteContent,
                      _id: item._id,
                    }}
                  />
                ),
            ),
          ]}
          rows={items}
          rowKey={({ _id }) => _id}
        />
      )}
      <div className="mt-4">
        <SecondaryLink to={href('/dashboard/pages/:id?', { id: kind === 'page' ? 'newPage' : 'newPost' })}>
          New {kind}
        </SecondaryLink>
      </div>
    </Section>
  );
}

function ContentList() {
  const contents = useRead(listContent, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading title="Pages">
        Texts of the shop in Markdown. What is saved is a draft until it is published; each publication is
        recorded in the audit trail. The samples of a new shop are drafts: check and change them first.
        Registration and booking link the pages with the addresses /pages/terms and /pages/privacy while they
        are published.
      </PageHeading>
      <QueryView query={contents} what="the pages" skeleton={<Skeletons className="h-16" />}>
        {(items) =>
          contentKinds.map((kind) => (
            <ContentTable key={kind} kind={kind} items={items.filter((item) => item.kind === kind)} />
          ))
        }
      </QueryView>
    </>
  );
}

/** The pages and posts of the shop, or one of them. */
export default function ContentPages() {
  const { id } = useParams();
  if (id === undefined) return <ContentList />;
  const kind = newIds[id];
  return kind === undefined ? <ContentEditor key={id} id={id} /> : <NewContent kind={kind} />;
}
