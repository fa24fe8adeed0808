import { useRef, useState } from 'react';
import { blockPerson, type Conversation } from '#contract/sales/messages.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Menu } from '../../../ui/menu.tsx';
import { nameOf } from './person-name.ts';
import { ReportConversation } from './report-conversation.tsx';

/** The menu of a conversation: blocks and unblocks the other person, and reports the conversation. */
export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const button = useRef<HTMLButtonElement>(null);
  const { _id, blocked } = conversation;
  const name = nameOf(conversation);
  const change = useWrite(blockPerson, {
    // Not by `blocked`: a live change can arrive before the response.
    done: (_, { body }) =>
      body.blocked ? `${name} is blocked and can no longer write to you.` : `${name} can write to you again.`,
  });
  const [isReporting, setIsReporting] = useState(false);
  const block = {
    text: blocked ? 'Unblock' : 'Block',
    label: `${blocked ? 'Unblock' : 'Block'} ${name}`,
    onClick: () => change.mutate({ params: { _id }, body: { blocked: !blocked } }),
  };
  const report = { text: 'Report', label: `Report ${name}`, onClick: () => setIsReporting(true) };
  return (
    <>
      <Menu
        label="More actions"
        buttonRef={button}
        items={conversation.personName === null ? [report] : [block, report]}
      />
      <ReportConversation
        conversation={conversation}
        open={isReporting}
        onClose={() => setIsReporting(false)}
        finalFocus={() => button.current}
      />
    </>
  );
}
