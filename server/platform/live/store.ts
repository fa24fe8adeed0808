import type { Database } from '../database/tables.ts';
import type { StreamOwner } from './streams.ts';

/** Selects those of these sessions and accounts that have ended. */
export async function findEnded(
  database: Database,
  owners: readonly Pick<StreamOwner, 'userId' | 'sessionId'>[],
): Promise<{ sessions: ReadonlySet<string>; accounts: ReadonlySet<string> }> {
  const sessionIds = owners.flatMap(({ sessionId }) => sessionId ?? []);
  const userIds = owners.map(({ userId }) => userId);
  const [sessions, accounts] = await Promise.all([
    database
      .selectFrom('ended_sessions')
      .select('id')
      .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...new Set(sessionIds)]))))
      .execute(),
    database
      .selectFrom('users')
      .select('id')
      .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...new Set(userIds)]))))
      .where('ended_at', 'is not', null)
      .execute(),
  ]);
  return {
    sessions: new Set(sessions.map(({ id }) => id)),
    accounts: new Set(accounts.map(({ id }) => id)),
  };
}
