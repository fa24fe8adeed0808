import { useEffect, useEffectEvent } from 'react';
import { href, Navigate, useSearchParams } from 'react-router';
import { openConversation } from '#contract/sales/messages.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { useWrite } from '../../../requests/use-write.ts';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import type { Route } from './+types/page.ts';
import { ConversationView } from './conversation-view.tsx';
import { Conversations } from './conversations.tsx';

/** Opens the conversation about the laptop or the booking that the URL names, and goes there; with `propose` to the form of a meeting. */
function NewConversation() {
  const [parameters] = useSearchParams();
  const laptop = parameters.get('laptop');
  const booking = parameters.get('booking');
  const opening = useWrite(openConversation, { onError: () => undefined });
  const open = () =>
    opening.mutate({
      body: {
        ...(laptop !== null && { productCode: laptop }),
        ...(booking !== null && { bookingId: booking }),
      },
    });
  const start = useEffectEvent(open);
  useEffect(() => start(), []);
  if (opening.data !== undefined) {
    const path = href('/dashboard/messages/:id?', { id: opening.data.insertedId });
    return <Navigate to={parameters.has('propose') ? `${path}?propose=yes` : path} replace />;
  }
  if (opening.isError) {
    return (
      <ErrorState
        heading="h1"
        title="The conversation could not be opened"
        message={opening.error.message}
        onRetry={open}
      />
    );
  }
  return (
    <Loading what="the conversation">
      <Skeleton className="h-96 rounded-2xl" />
    </Loading>
  );
}

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
