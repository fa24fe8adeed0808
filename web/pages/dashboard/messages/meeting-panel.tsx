import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { MAXIMUM_MEETING_DAYS } from '#contract/money/order-states.ts';
import { answerMeeting, type Meeting, proposeMeeting } from '#contract/sales/meetings.ts';
import type { Conversation } from '#contract/sales/messages.ts';
import { MeetingTime } from '../../../formats/date-time.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { downloadMeeting } from '../../../messages/calendar-file.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { useShop } from '../../../session/session.tsx';
import { Button, SmallButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { nameOf } from './person-name.ts';

interface MeetingFormProps {
  conversation: Conversation;
  /** Whether the first field gets the focus: the form takes the place of the button that opened it. */
  takesFocus: boolean;
  onDone: () => void;
}

/** The fields of a proposal. What was typed stays when it cannot be sent. */
function MeetingForm({ conversation, takesFocus, onDone }: MeetingFormProps) {
  const form = useWriteForm(proposeMeeting, {
    defaultValues: { place: conversation.bookedPlace ?? '', startsAt: '' },
    input: ({ place, startsAt }: { place: string; startsAt: string }) => {
      // The time is typed in the browser's time zone.
      const at = new Date(startsAt);
      return {
        params: { _id: conversation._id },
        body: { place, startsAt: Number.isNaN(at.getTime()) ? '' : at.toISOString() },
      };
    },
    done: `Your proposal is with ${nameOf(conversation)}.`,
    onClose: onDone,
  });
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('place');
  }, [takesFocus, setFocus]);
  return (
    <RequestForm
      form={form}
      submit="Propose"
      busy="Sending"
      onCancel={onDone}
      cancel="Close"
      className="mt-3 flex flex-col gap-3"
    >
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Field label="Place" {...form.field('place')} hint="A public place is safer, such as a café.">
          <TextInput autoComplete="off" />
        </Field>
        <Field
          label="Day and time"
          {...form.field('startsAt')}
          hint={`In this device’s time zone, within ${MAXIMUM_MEETING_DAYS} days, and within ${MAXIMUM_MEETING_DAYS} days of the payment.`}
        >
          <TextInput type="datetime-local" />
        </Field>
      </div>
    </RequestForm>
  );
}

function headingOf({ state, mine }: Meeting, name: string): string {
  if (state === 'agreed') return `You meet ${name}`;
  return mine ? `You proposed to meet ${name}` : `${name} proposes to meet`;
}

/** What ends a meeting or a proposal: the label of the button, and what is said afterwards. */
function endingOf({ state, mine }: Meeting): { label: string; done: string } {
  if (state === 'agreed') return { label: 'Cancel the meeting', done: 'The meeting is cancelled.' };
  return mine
    ? { label: 'Take the proposal back', done: 'Your proposal is taken back.' }
    : { label: 'Decline', done: 'The proposal is declined.' };
}

function MeetingActions({ conversation, meeting }: { conversation: Conversation; meeting: Meeting }) {
  const { _id, productName, canMeet } = conversation;
  const name = nameOf(conversation);
  const ending = endingOf(meeting);
  const { name: shopName } = useShop();
  const answering = useWrite(answerMeeting, {
    // By the answer: a live change of the meeting can arrive before the response.
    done: (_, { body }) => (body.answer === 'agree' ? 'The meeting is agreed on.' : ending.done),
    untilRead: true,
  });
  const send = (answer: 'agree' | 'cancel') =>
    answering.mutate({ params: { _id }, body: { meeting: meeting._id, answer } });
  const title = `Meet ${name}: ${productName}`;
  const download = () => downloadMeeting({ ...meeting, title, shopName, url: location.href });
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {meeting.state === 'proposed' && !meeting.mine && canMeet && (
        <Button size="small" busy={answering.isPending && 'Sending'} onClick={() => send('agree')}>
          Agree
        </Button>
      )}
      {meeting.state === 'agreed' && <SmallButton onClick={download}>Calendar file</SmallButton>}
      <SmallButton variant="quiet" disabled={answering.isPending} onClick={() => send('cancel')}>
        {ending.label}
      </SmallButton>
    </div>
  );
}

/** Where and when the two people meet, and the form that proposes it. */
export function MeetingPanel({ conversation }: { conversation: Conversation }) {
  const { meeting, canMeet } = conversation;
  const [parameters] = useSearchParams();
  const [openedBy, setOpenedBy] = useState<'address' | 'button' | null>(
    canMeet && parameters.has('propose') ? 'address' : null,
  );
  if (meeting === null && !canMeet) return null;
  return (
    <section aria-label="Meeting" className="border-border border-b py-3">
      {/* Announces what the other person proposes or answers. */}
      <div aria-live="polite">
        {meeting !== null && (
          <p className="wrap-anywhere">
            <strong className="font-semibold">{headingOf(meeting, nameOf(conversation))}:</strong>{' '}
            <MeetingTime at={meeting.startsAt} />, {meeting.place}
          </p>
        )}
      </div>
      {meeting !== null && <MeetingActions conversation={conversation} meeting={meeting} />}
      {openedBy !== null && (
        <MeetingForm
          conversation={conversation}
          takesFocus={openedBy === 'button'}
          onDone={() => setOpenedBy(null)}
        />
      )}
      {openedBy === null && canMeet && (
        <SmallButton variant="quiet" onClick={() => setOpenedBy('button')}>
          {meeting === null ? 'Propose a meeting' : 'Propose another place or time'}
        </SmallButton>
      )}
    </section>
  );
}
