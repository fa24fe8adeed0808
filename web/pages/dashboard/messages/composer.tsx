import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { MAXIMUM_MESSAGE_LENGTH } from '#contract/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';

interface ComposerProps {
  name: string;
  draft: string;
  onType: (draft: string) => void;
  onSend: () => void;
  /** The button that sends a photo. */
  photo: ReactNode;
}

/** With a keyboard, Enter sends and Shift+Enter begins a line. On a phone, Enter begins a line. */
const sends = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && matchMedia('(pointer: fine)').matches;

/** The field in which a message is typed, with its button. */
export function Composer({ name, draft, onType, onSend, photo }: ComposerProps) {
  const isEmpty = draft.trim() === '';
  const tooLong = draft.trim().length - MAXIMUM_MESSAGE_LENGTH;
  function send(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault();
    if (!isEmpty && tooLong <= 0) onSend();
  }
  return (
    <form onSubmit={send} className="flex items-end gap-3 border-line border-t pt-3">
      <Field
        label={`Message to ${name}`}
        className="flex-1"
        {...(tooLong > 0 && {
          error: `${tooLong} characters too many. A message has up to ${MAXIMUM_MESSAGE_LENGTH}.`,
        })}
      >
        <TextArea
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
        {photo}
        <Button type="submit" disabled={isEmpty || tooLong > 0}>
          Send
        </Button>
      </div>
    </form>
  );
}
