import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { ToDo, ToDoItem } from '#contract/operations/to-do.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { firstName } from '../../../formats/first-name.ts';
import { useUnconfirmedEmail } from '../../../forms/unconfirmed-email.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRoles } from '../../../session/roles.ts';
import { formatToDo, toDoPages, useToDo } from '../../../to-do/to-do-pages.ts';
import { type ItemTexts, othersSentence, toDoTexts, toOrder } from './to-do-texts.ts';

function Line({ to, children, details }: { to: string; children: ReactNode; details?: ReactNode }) {
  return (
    <li className="flex flex-col gap-x-6 gap-y-0.5 px-4 py-3 sm:flex-row sm:items-baseline sm:justify-between">
      <Link to={to} className="link min-w-0 py-0.5 font-semibold wrap-anywhere">
        {children}
      </Link>
      {details !== undefined && (
        <span className="text-muted text-sm sm:max-w-[45%] sm:text-right [&_span]:inline!">{details}</span>
      )}
    </li>
  );
}

/** The meeting about an item, and when it ends. */
function Details({ item: { until, meetingAt }, texts }: { item: ToDoItem; texts: ItemTexts }) {
  const { deadline, isSoon = false, noDeadline } = texts;
  return (
    <>
      {meetingAt !== null && (
        <>
          {deadline === undefined ? 'On' : 'You meet on'} <DateTime at={meetingAt} />.{' '}
        </>
      )}
      {until !== null && deadline !== undefined && (
        <>
          {deadline} {isSoon ? <DateTime at={until} /> : <Day at={until} />}.
        </>
      )}
      {until === null && noDeadline}
    </>
  );
}

/** Milliseconds since 1970; what has no end comes last. */
const endOf = ({ until }: ToDoItem) => (until === null ? Number.MAX_SAFE_INTEGER : Date.parse(until));

interface LinesProps {
  waiting: readonly ToDo[];
  /** Whether the person's email address is to be confirmed. */
  isEmailUnconfirmed: boolean;
}

/** A line for each item, those that end first before the others, then one for each list. */
function Lines({ waiting, isEmailUnconfirmed }: LinesProps) {
  const items = waiting
    .flatMap(({ kind, items: listed }) => listed.map((item) => ({ kind, item, texts: toDoTexts[kind] })))
    // Stable: items without a date stay in the order of their kinds.
    .toSorted((one, other) => endOf(one.item) - endOf(other.item));
  return (
    <ul className="flex flex-col divide-y divide-border rounded-xl border border-border bg-surface">
      {isEmailUnconfirmed && (
        <Line to={href('/dashboard/account')} details="With the link in the email that we sent you.">
          Confirm your email address
        </Line>
      )}
      {items.map(
        ({ kind, item, texts }) =>
          typeof texts !== 'function' && (
            <Line
              key={`${kind} ${item._id}`}
              to={(texts.to ?? toOrder)(item._id)}
              details={<Details item={item} texts={texts} />}
            >
              {texts.sentence(item.productName, firstName(item.personName ?? ''), item.meetingAt !== null)}
            </Line>
          ),
      )}
      {waiting.map(({ kind, count, items: { length: listed } }) => {
        const texts = toDoTexts[kind];
        const sentence =
          typeof texts === 'function'
            ? texts(formatToDo(count), count === 1)
            : othersSentence(texts, count, listed);
        if (sentence === null) return null;
        return (
          <Line key={kind} to={toDoPages[kind]}>
            {sentence}
          </Line>
        );
      })}
    </ul>
  );
}

/** What waits for the signed-in person, each with the day on which it ends and a link to where it is done. */
export function ToDoList() {
  const waiting = useToDo();
  const isEmailUnconfirmed = useUnconfirmedEmail() !== null;
  const roles = useRoles();
  // Of an admin's work, the shop tells nothing before the second factor that it requires.
  const isWithheld = roles.status === 'known' && roles.isAdmin && roles.secondFactorDue === true;
  return (
    <QueryView query={waiting} what="what waits for you" skeleton="h-32">
      {(data) =>
        data.length === 0 && !isEmailUnconfirmed ? (
          <p className="text-muted">
            {isWithheld
              ? 'What waits for you appears here when you have signed in with a second factor.'
              : 'Nothing waits for you at the moment.'}
          </p>
        ) : (
          <Lines waiting={data} isEmailUnconfirmed={isEmailUnconfirmed} />
        )
      }
    </QueryView>
  );
}
