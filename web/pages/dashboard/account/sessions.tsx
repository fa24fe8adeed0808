import { endOtherSessions, endSession, listSessions, type OpenSession } from '#contract/identity/account.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { WriteButton } from '../../../forms/write-button.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { deviceName } from './device-name.ts';

function SessionItem({ session }: { session: OpenSession }) {
  const device = deviceName(session.userAgent);
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
        <WriteButton
          endpoint={endSession}
          input={{ params: { id: session.id } }}
          done={`${device} is signed out.`}
          aria-label={`Sign out ${device}`}
          busy="Signing out"
        >
          Sign out
        </WriteButton>
      )}
    </li>
  );
}

/** The open sessions, with buttons to end the others. */
export function Sessions() {
  const query = useRead(listSessions, {});
  return (
    <CardSection title="Where you are signed in">
      <QueryView query={query} what="your devices" skeleton="h-14 w-72 max-w-full">
        {(sessions) => (
          <>
            <ul className="w-full divide-y divide-border">
              {sessions.map((session) => (
                <SessionItem key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <WriteButton
                endpoint={endOtherSessions}
                input={{}}
                done={({ deletedCount: count }) =>
                  count === 1 ? 'One device is signed out.' : `${count} devices are signed out.`
                }
                busy="Signing out"
              >
                Sign out everywhere else
              </WriteButton>
            )}
          </>
        )}
      </QueryView>
    </CardSection>
  );
}
