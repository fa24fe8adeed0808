import { useEffect, useEffectEvent } from 'react';
import { href, Navigate, useSearchParams } from 'react-router';
import { openConversation } from '#contract/sales/messages.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';

/** Opens the conversation about the laptop or the booking that the URL names, and goes there; with `propose` to the form of a meeting. */
export function NewConversation() {
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
        message={errorMessage(opening.error)}
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
