import { Outlet, useMatch } from 'react-router';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { Conversations } from './conversations.tsx';

export const meta = () => privateMeta('Messages');

/** The list of conversations, and beside it or, on a phone, instead of it the open one. */
export default function Messages() {
  const isList = useMatch('/dashboard/messages') !== null;
  return (
    <div className={isList ? undefined : 'grid gap-6 xl:grid-cols-[20rem_1fr]'}>
      <div className={isList ? undefined : 'max-xl:hidden'}>
        {isList ? (
          <PageHeading title="Messages">
            What you and the buyers or sellers write to each other. Payments belong into the shop: it cannot
            give back what was paid elsewhere.
          </PageHeading>
        ) : (
          <h2 className="mb-4 text-xl">Messages</h2>
        )}
        <Conversations isNarrow={!isList} />
      </div>
      <Outlet />
    </div>
  );
}
