import { useRef } from 'react';
import { reportConversation } from '#contract/sales/message-reports.ts';
import { blockPerson, type Conversation } from '#contract/sales/messages.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Field, TextArea } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { nameOf } from './person-name.ts';

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
  const form = useWriteForm(reportConversation, {
    defaultValues: { note: '' },
    input: (body: { note: string }) => ({ params: { _id }, body }),
    done: 'Thank you. An admin will look at this conversation.',
  });
  const block = {
    text: blocked ? 'Unblock' : 'Block',
    label: `${blocked ? 'Unblock' : 'Block'} ${name}`,
    onClick: () => change.mutate({ params: { _id }, body: { blocked: !blocked } }),
  };
  const report = { text: 'Report', label: `Report ${name}`, onClick: form.dialog.open };
  return (
    <>
      <Menu
        label="More actions"
        buttonRef={button}
        items={conversation.personName === null ? [report] : [block, report]}
      />
      <FormDialog
        form={form}
        title={`Report ${name}`}
        description="Admins can then read what was written here until now. Nothing else changes; you can block the person as well."
        submit="Send the report"
        busy="Sending"
        finalFocus={() => button.current}
      >
        <Field label="What is wrong" {...form.field('note')}>
          <TextArea />
        </Field>
      </FormDialog>
    </>
  );
}
