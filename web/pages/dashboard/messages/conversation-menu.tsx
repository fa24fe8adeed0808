import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { blockPerson, type Conversation } from '#contract/sales/messages.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { nameOf } from './person-name.ts';
import { ReportConversation } from './report-conversation.tsx';

/** The menu of a conversation: blocks and unblocks the other person, and reports the conversation. */
export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const api = useApi();
  const queries = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const { _id, blocked } = conversation;
  const name = nameOf(conversation);
  const change = useMutation({
    mutationFn: (toBlock: boolean) => api.call(blockPerson, { params: { _id }, body: { blocked: toBlock } }),
    // Not by `blocked`: a live change can arrive before the response.
    onSuccess: (_answer, toBlock) =>
      toast.success(
        toBlock ? `${name} is blocked and can no longer write to you.` : `${name} can write to you again.`,
      ),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  });
  const [isReporting, setIsReporting] = useState(false);
  const block = {
    text: blocked ? 'Unblock' : 'Block',
    label: `${blocked ? 'Unblock' : 'Block'} ${name}`,
    onClick: () => change.mutate(!blocked),
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
