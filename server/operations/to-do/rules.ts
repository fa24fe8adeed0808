import {
  LISTED_TO_DO,
  MAXIMUM_TO_DO,
  type ToDo,
  type ToDoKind,
  toDoKinds,
} from '#contract/operations/to-do.ts';

/** Something that waits, as it is stored. */
export interface ToDoRow {
  kind: ToDoKind;
  id: string;
  laptop: string;
  person: string | null;
  until: Date | null;
  meeting_at: Date | null;
}

/** The response: the kinds of which something waits, in the order of the contract. */
export function toToDo(rows: readonly ToDoRow[], counts: Partial<Record<ToDoKind, number>>): ToDo[] {
  return toDoKinds.flatMap((kind) => {
    const ofKind = rows.filter((row) => row.kind === kind);
    const count = Math.min(ofKind.length + (counts[kind] ?? 0), MAXIMUM_TO_DO);
    if (count === 0) return [];
    const items = ofKind.slice(0, LISTED_TO_DO).map((row) => ({
      _id: row.id,
      productName: row.laptop,
      personName: row.person,
      until: row.until?.toISOString() ?? null,
      meetingAt: row.meeting_at?.toISOString() ?? null,
    }));
    return [{ kind, count, items }];
  });
}
