import { endOtherSessions, endSession, type OpenSession } from '#contract/identity/account.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { deviceName } from './device-name.ts';
import { useAccountChange, useOpenSessions } from './use-account.ts';

function SessionItem({ session }: { session: OpenSession }) {
  const device = deviceName(session.userAgent);
  const ending = useAccountChange(
    (actions, id: string) => actions.call(endSession, { params: { id } }),
    () => `${device} is signed out.`,
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div>
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {device}
          {session.current && <Badge tone="good">This device</Badge>}
        </p>
        <p className="text-muted text-sm">
          Signed in <DateTime at={session.signedInAt} />
        </p>
      </div>
      {!session.current && (
        <SmallButton
          aria-label={`Sign out ${device}`}
          onClick={() => ending.mutate(session.id)}
          disabled={ending.isSuccess}
          busy={ending.isPending && 'Signing out'}
        >
          Sign out
        </SmallButton>
      )}
    </li>
  );
}

/** The open sessions, with buttons to end the others. */
export function Sessions() {
  const query = useOpenSessions();
  const endingOthers = useAccountChange(
    (actions, _: undefined) => actions.call(endOtherSessions, {}),
    ({ deletedCount: count }) =>
      count === 1 ? 'One device is signed out.' : `${count} devices are signed out.`,
  );
  return (
    <CardSection title="Where you are signed in">
      <QueryView query={query} what="your devices" skeleton={<Skeleton className="h-14 w-72 max-w-full" />}>
        {(sessions) => (
          <>
            <ul className="w-full divide-y divide-border">
              {sessions.map((session) => (
                <SessionItem key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <SmallButton
                onClick={() => endingOthers.mutate(undefined)}
                busy={endingOthers.isPending && 'Signing out'}
              >
                Sign out everywhere else
              </SmallButton>
            )}
          </>
        )}
      </QueryView>
    </CardSection>
  );
}
