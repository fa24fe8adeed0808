import type { KeyboardEvent, ReactNode, RefObject, SubmitEvent } from 'react';
import { MAXIMUM_MESSAGE_LENGTH } from '#contract/sales/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';

interface ComposerProps {
  name: string;
  draft: string;
  /** Why nothing can be sent now, as a sentence. The draft stays to be copied, or sent later. Null when it can be sent. */
  closed: string | null;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onType: (draft: string) => void;
  onSend: () => void;
  /** The button that sends a photo. */
  photo: ReactNode;
}

/** With a keyboard, Enter sends and Shift+Enter begins a line. On a phone, Enter begins a line. */
const sends = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && matchMedia('(pointer: fine)').matches;

/** The field in which a message is typed, with its button. */
export function Composer({ name, draft, closed, fieldRef, onType, onSend, photo }: ComposerProps) {
  const isEmpty = draft.trim() === '';
  const tooLong = draft.trim().length - MAXIMUM_MESSAGE_LENGTH;
  function send(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault();
    if (!isEmpty && tooLong <= 0 && closed === null) onSend();
  }
  return (
    <form onSubmit={send} className="flex items-end gap-3 border-border border-t pt-3">
      <Field
        label={`Message to ${name}`}
        className="flex-1"
        {...(tooLong > 0 && {
          // Announced once: the number, which changes with every key, is in the hint.
          error: `A message has up to ${MAXIMUM_MESSAGE_LENGTH} characters.`,
          hint: `${tooLong} too many`,
        })}
        {...(closed !== null && { error: `${closed} Your text is kept here.` })}
      >
        <TextArea
          ref={fieldRef}
          rows={2}
          dir="auto"
          enterKeyHint="send"
          className="max-h-40"
          value={draft}
          onChange={({ target }) => onType(target.value)}
          onKeyDown={(event) => {
            if (sends(event)) send(event);
          }}
        />
      </Field>
      <div className="flex flex-col gap-2">
        {closed === null && photo}
        <Button type="submit" disabled={isEmpty || tooLong > 0 || closed !== null}>
          Send
        </Button>
      </div>
    </form>
  );
}
