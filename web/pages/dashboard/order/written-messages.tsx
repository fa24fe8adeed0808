import { useState } from 'react';
import { readMessagesOfComplaint } from '#contract/sales/message-reports.ts';
import type { Order } from '#contract/sales/orders.ts';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';

/** For admins: what the two people of an order with a complaint wrote to each other. */
export function WrittenMessages({ order: { _id } }: { order: Order }) {
  const [isRead, setIsRead] = useState(false);
  return (
    <Section
      title="What they wrote to each other"
      level="h3"
      heading="mb-2 text-lg"
      className="border-border border-t pt-5"
    >
      {isRead ? (
        <RecordedMessages label="Messages, newest first" endpoint={readMessagesOfComplaint} id={_id} />
      ) : (
        <>
          <p className="mb-3 text-muted">The audit trail records that you read it.</p>
          <Button size="small" variant="secondary" onClick={() => setIsRead(true)}>
            Read the messages
          </Button>
        </>
      )}
    </Section>
  );
}
