import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import type { Route } from './+types/page.ts';
import { ConversationView } from './conversation-view.tsx';
import { Conversations } from './conversations.tsx';
import { NewConversation } from './new-conversation.tsx';

export const meta = privateMeta('Messages');

/** The list of conversations, and beside it or, on a narrow window, instead of it the open one. */
export default function Messages({ params: { id } }: Route.ComponentProps) {
  if (id === undefined) {
    return (
      <>
        <PageHeading title="Messages">
          What you and the buyers or sellers write to each other. Please pay in the shop only: it cannot give
          back what was paid elsewhere.
        </PageHeading>
        <Conversations isNarrow={false} />
      </>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="max-xl:hidden">
        <p className="mb-4 font-semibold text-xl">Messages</p>
        <Conversations isNarrow />
      </div>
      {id === 'new' ? <NewConversation /> : <ConversationView key={id} id={id} />}
    </div>
  );
}
