import type { Reader } from '../database/tables.ts';
import * as store from './store.ts';

/** Counts the reports that a user has filed. */
export function countReportsBy(reader: Reader, userId: string): Promise<number> {
  return store.countReportsBy(reader, userId);
}
