// The types of the tables are generated from the schema: `npm run tables`.

import type { Kysely, Transaction as KyselyTransaction, Selectable } from 'kysely';
import type { DB } from './tables.generated.ts';

export type Tables = DB;

/** A row of a table. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

/** Columns of a row that is joined with another, as a query names them: `laptop_name`. */
export type Prefixed<Prefix extends string, Columns> = {
  [Name in keyof Columns & string as `${Prefix}_${Name}`]: Columns[Name];
};

export type Database = Kysely<Tables>;
/** Required by functions that lock rows, so that they cannot be called outside a transaction. */
export type Transaction = KyselyTransaction<Tables>;
/** For queries that may run inside or outside a transaction. */
export type Reader = Database | Transaction;

export type UserRow = Row<'users'>;
