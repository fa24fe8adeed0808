import type { ReactNode } from 'react';
import type { Message, MessageWarning } from '#contract/sales/messages.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import type { Waiting } from '../../../messages/outbox.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';
import { useOnline } from '../../../ui/online-status.tsx';

const warnings: Record<MessageWarning, string> = {
  link: 'This message has a link, which the shop has not checked. Never enter a password or a card number there.',
  payment:
    'This message is about a payment outside the shop. Only what is paid in the shop is protected: the shop cannot give back anything else.',
};

interface BubbleProps {
  mine: boolean;
  text: string;
  photos: readonly string[];
  at: string;
  children?: ReactNode;
}

function Bubble({ mine, text, photos, at, children }: BubbleProps) {
  return (
    <li
      className={`flex max-w-[85%] flex-col gap-1 ${mine ? 'items-end self-end' : 'items-start self-start'}`}
    >
      <span className="sr-only">{mine ? 'You wrote:' : 'The other person wrote:'}</span>
      {/* An ended account of both sides leaves an empty text. */}
      {text !== '' && (
        <p
          dir="auto"
          className={`whitespace-pre-wrap rounded-2xl border border-border px-4 py-2 wrap-anywhere ${mine ? 'bg-accent-soft' : 'bg-surface'}`}
        >
          {text}
        </p>
      )}
      <EnlargeablePhotos
        title={mine ? 'Your photos' : 'Photos of the other person'}
        urls={photos}
        className={`flex flex-wrap gap-2 *:w-28 ${mine ? 'justify-end' : ''}`}
      />
      <span className="flex flex-wrap items-center gap-x-2 px-1 text-muted text-sm [&_span]:inline!">
        <DateTime at={at} />
        {children}
      </span>
    </li>
  );
}

/** A message with its state, or with warnings for its reader. */
export function MessageItem({ message, readByOther }: { message: Message; readByOther: number }) {
  const { mine, text, photos, at, sequence } = message;
  return (
    <>
      <Bubble mine={mine} text={text} photos={photos} at={at}>
        {mine && <span>{sequence <= readByOther ? 'Read' : 'Sent'}</span>}
      </Bubble>
      {message.warnings.map((warning) => (
        <li key={warning} className="max-w-[85%] self-start rounded-lg bg-primary-soft px-4 py-2 text-sm">
          {warnings[warning]}
        </li>
      ))}
    </>
  );
}

interface WaitingItemProps {
  message: Waiting;
  onRetry: () => void;
  onRemove: () => void;
}

/** An own message that is not confirmed by the shop. */
export function WaitingItem({ message: { text, photos, at, failure }, onRetry, onRemove }: WaitingItemProps) {
  const isOnline = useOnline();
  const state = isOnline ? 'Sending' : 'Kept here, and sent when you are back online';
  return (
    <>
      <Bubble mine text={text} photos={[]} at={at}>
        <span>
          {photos.length > 0 && 'Photo: '}
          {failure === null ? state : 'Not sent'}
        </span>
      </Bubble>
      {failure !== null && (
        <li className="flex max-w-[85%] flex-col gap-2 self-end rounded-lg bg-danger-soft px-4 py-2 text-sm">
          <p role="alert">{failure}</p>
          <p className="flex gap-2">
            <SmallButton onClick={onRetry}>Try again</SmallButton>
            <SmallButton variant="quiet" onClick={onRemove}>
              Remove
            </SmallButton>
          </p>
        </li>
      )}
    </>
  );
}
