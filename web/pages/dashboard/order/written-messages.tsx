import { useState } from 'react';
import { readMessagesOfComplaint } from '#contract/sales/message-reports.ts';
import type { Order } from '#contract/sales/orders.ts';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';

/** For admins: what the two people of an order with a complaint wrote to each other. */
export function WrittenMessages({ order: { _id } }: { order: Order }) {
  const api = useApi();
  const [isRead, setIsRead] = useState(false);
  return (
    <section aria-labelledby="written" className="border-border border-t pt-5">
      <h3 id="written" className="mb-2 text-lg">
        What they wrote to each other
      </h3>
      {isRead ? (
        <RecordedMessages
          label="Messages, newest first"
          queryKey={['messagesOfComplaint', _id]}
          load={(query, signal) => api.page(readMessagesOfComplaint, { params: { _id }, query, signal })}
        />
      ) : (
        <>
          <p className="mb-3 text-muted">The audit trail records that you read it.</p>
          <Button size="small" variant="secondary" onClick={() => setIsRead(true)}>
            Read the messages
          </Button>
        </>
      )}
    </section>
  );
}
