import { reportConversation } from '#contract/sales/message-reports.ts';
import type { Conversation } from '#contract/sales/messages.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { nameOf } from './person-name.ts';

interface ReportConversationProps {
  conversation: Conversation;
  open: boolean;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/** The dialog that reports a conversation. What was typed stays when it is closed or cannot be sent. */
export function ReportConversation({ conversation, open, onClose, finalFocus }: ReportConversationProps) {
  const form = useWriteForm(reportConversation, {
    defaultValues: { note: '' },
    input: (body: { note: string }) => ({ params: { _id: conversation._id }, body }),
    done: 'Thank you. An admin will look at this conversation.',
    onClose: () => {
      form.reset();
      onClose();
    },
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Report ${nameOf(conversation)}`}
      description="Admins can then read what was written here until now. Nothing else changes; you can block the person as well."
      finalFocus={finalFocus}
    >
      <RequestForm form={form} submit="Send the report" busy="Sending" className="flex flex-col gap-4">
        <Field label="What is wrong" {...form.field('note')}>
          <TextArea />
        </Field>
      </RequestForm>
    </Dialog>
  );
}
