import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Problem } from '#contract/platform/client.ts';
import { reportConversation } from '#contract/sales/message-reports.ts';
import type { Conversation } from '#contract/sales/messages.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, TextArea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { nameOf } from './person-name.ts';

const idempotencyKeys = createIdempotencyKeys();

interface ReportConversationProps {
  conversation: Conversation;
  open: boolean;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/** The dialog that reports a conversation. What was typed stays when it is closed or cannot be sent. */
export function ReportConversation({ conversation, open, onClose, finalFocus }: ReportConversationProps) {
  const api = useApi();
  const { _id } = conversation;
  const [note, setNote] = useState('');
  const report = useMutation({
    mutationFn: (body: { note: string }) =>
      idempotencyKeys.send(`report ${_id}`, body, ({ idempotencyKey }) =>
        api.call(reportConversation, { params: { _id }, body, idempotencyKey }),
      ),
    onSuccess: () => {
      setNote('');
      onClose();
      toast.success('Thank you. An admin will look at this conversation.');
    },
  });
  const noteError = report.error instanceof Problem ? report.error.errors.note : undefined;
  function submit(event: SubmitEvent) {
    event.preventDefault();
    report.mutate({ note });
  }
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
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label="What is wrong" error={noteError}>
          <TextArea value={note} onChange={({ target }) => setNote(target.value)} />
        </Field>
        <FormFailure
          message={report.error !== null && noteError === undefined ? errorMessage(report.error) : null}
        />
        <Button type="submit" busy={report.isPending && 'Sending'}>
          Send the report
        </Button>
      </form>
    </Dialog>
  );
}
