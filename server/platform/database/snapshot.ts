import type { Database, Transaction } from './tables.ts';

/** Runs statements that see the database at one moment, so that a response does not mix an old state with a newer history. */
export const inSnapshot = <Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => database.transaction().setIsolationLevel('repeatable read').execute(read);
