import {
  LISTED_WAITING,
  MAXIMUM_WAITING,
  type Waiting,
  type WaitingKind,
  waitingKinds,
} from '#contract/operations/waiting.ts';

/** Something that waits, as it is stored. */
export interface WaitingRow {
  kind: WaitingKind;
  id: string;
  laptop: string;
  person: string | null;
  until: Date | null;
  meeting_at: Date | null;
}

/** The response: the kinds of which something waits, in the order of the contract. */
export function toWaiting(
  rows: readonly WaitingRow[],
  counts: Partial<Record<WaitingKind, number>>,
): Waiting[] {
  return waitingKinds.flatMap((kind) => {
    const ofKind = rows.filter((row) => row.kind === kind);
    const count = Math.min(ofKind.length + (counts[kind] ?? 0), MAXIMUM_WAITING);
    if (count === 0) return [];
    const items = ofKind.slice(0, LISTED_WAITING).map((row) => ({
      _id: row.id,
      productName: row.laptop,
      personName: row.person,
      until: row.until?.toISOString() ?? null,
      meetingAt: row.meeting_at?.toISOString() ?? null,
    }));
    return [{ kind, count, items }];
  });
}
