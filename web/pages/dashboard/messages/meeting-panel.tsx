import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { MAXIMUM_MEETING_DAYS } from '#contract/money/order-states.ts';
import { Problem } from '#contract/platform/client.ts';
import { answerMeeting, type Meeting, proposeMeeting } from '#contract/sales/meetings.ts';
import type { Conversation } from '#contract/sales/messages.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { errorMessage } from '../../../requests/error-message.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { downloadFile } from '../../../ui/download-file.ts';
import { Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { calendarFile } from './calendar-file.ts';
import { nameOf } from './person-name.ts';

const idempotencyKeys = createIdempotencyKeys();

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['messages'] });
}

/** The fields of a proposal. What was typed stays when it cannot be sent. */
function MeetingForm({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const api = useApi();
  const refresh = useRefresh();
  const { _id } = conversation;
  const [place, setPlace] = useState('');
  const [time, setTime] = useState('');
  const proposing = useMutation({
    mutationFn: (body: { place: string; startsAt: string }) =>
      idempotencyKeys.send(`meeting ${_id}`, body, ({ idempotencyKey }) =>
        api.call(proposeMeeting, { params: { _id }, body, idempotencyKey }),
      ),
    onSuccess: async () => {
      await refresh();
      onDone();
      toast.success(`Your proposal is with ${nameOf(conversation)}.`);
    },
  });
  const errors = proposing.error instanceof Problem ? proposing.error.errors : {};
  const isElsewhere = proposing.error !== null && Object.keys(errors).length === 0;
  /** Changes a field. The errors of what was sent before are gone with it. */
  function change(apply: () => void) {
    apply();
    if (proposing.isError) proposing.reset();
  }
  function submit(event: SubmitEvent) {
    event.preventDefault();
    // The time is typed in the browser's time zone.
    const at = new Date(time);
    proposing.mutate({ place, startsAt: Number.isNaN(at.getTime()) ? '' : at.toISOString() });
  }
  return (
    <form noValidate onSubmit={submit} className="mt-3 flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Place" error={errors.place} hint="A public place is safer, such as a café.">
          <TextInput
            value={place}
            autoComplete="off"
            onChange={({ target }) => change(() => setPlace(target.value))}
          />
        </Field>
        <Field
          label="Day and time"
          error={errors.startsAt}
          hint={`Within ${MAXIMUM_MEETING_DAYS} days, and within ${MAXIMUM_MEETING_DAYS} days of the payment.`}
        >
          <TextInput
            type="datetime-local"
            value={time}
            onChange={({ target }) => change(() => setTime(target.value))}
          />
        </Field>
      </div>
      <FormFailure message={isElsewhere ? errorMessage(proposing.error) : null} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={proposing.isPending && 'Sending'}>
          Propose
        </Button>
        <Button size="small" variant="quiet" onClick={onDone}>
          Close
        </Button>
      </div>
    </form>
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

function PresentMeeting({ conversation, meeting }: { conversation: Conversation; meeting: Meeting }) {
  const api = useApi();
  const refresh = useRefresh();
  const { _id, productName, canMeet } = conversation;
  const answering = useMutation({
    // With what is said afterwards: a live change of the meeting can arrive before the response.
    mutationFn: ({ answer }: { answer: 'agree' | 'cancel'; done: string }) =>
      api.call(answerMeeting, { params: { _id }, body: { meeting: meeting._id, answer } }),
    onSuccess: (_, { done }) => toast.success(done),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: refresh,
  });
  const name = nameOf(conversation);
  const ending = endingOf(meeting);
  const download = () => {
    const title = `Meet ${name}: ${productName}`;
    const text = calendarFile({ ...meeting, title, url: location.href }, new Date());
    downloadFile('meeting.ics', { text, type: 'text/calendar' });
  };
  return (
    <>
      <p className="wrap-anywhere [&_span]:inline!">
        <strong className="font-semibold">{headingOf(meeting, name)}:</strong>{' '}
        <DateTime at={meeting.startsAt} />, {meeting.place}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {meeting.state === 'proposed' && !meeting.mine && canMeet && (
          <Button
            size="small"
            busy={answering.isPending && 'Sending'}
            onClick={() => answering.mutate({ answer: 'agree', done: 'The meeting is agreed on.' })}
          >
            Agree
          </Button>
        )}
        {meeting.state === 'agreed' && (
          <Button size="small" variant="secondary" onClick={download}>
            Calendar file
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          disabled={answering.isPending}
          onClick={() => answering.mutate({ answer: 'cancel', done: ending.done })}
        >
          {ending.label}
        </Button>
      </div>
    </>
  );
}

/** Where and when the two people meet, and the form that proposes it. */
export function MeetingPanel({ conversation }: { conversation: Conversation }) {
  const [isOpen, setIsOpen] = useState(false);
  const { meeting, canMeet } = conversation;
  if (meeting === null && !canMeet) return null;
  return (
    <section aria-label="Meeting" className="border-border border-b py-3">
      {meeting !== null && <PresentMeeting conversation={conversation} meeting={meeting} />}
      {isOpen && <MeetingForm conversation={conversation} onDone={() => setIsOpen(false)} />}
      {!isOpen && canMeet && (
        <Button size="small" variant="quiet" onClick={() => setIsOpen(true)}>
          {meeting === null ? 'Propose a meeting' : 'Propose another place or time'}
        </Button>
      )}
    </section>
  );
}
