/** A slice of a list, newest first by a row number that only grows. */
export interface Slice {
  /** One more than wanted, so that the store's answer says whether there is a next page. */
  limit: number;
  /** Only rows with smaller numbers. */
  before: string | null;
}

/** The rows of one page, and the cursor of the next if there is one. */
export interface Sliced<Row> {
  rows: Row[];
  next: string | null;
}

/** Cuts the row too many off, which only said that there is more. */
export function cut<Row extends { number: string }>(rows: Row[], slice: Slice): Sliced<Row> {
  if (rows.length < slice.limit) return { rows, next: null };
  const page = rows.slice(0, -1);
  return { rows: page, next: page.at(-1)?.number ?? null };
}
