import { z } from 'zod';
import { noSuch } from './api-error.ts';
import { paging, text } from './parameters.ts';

type Paging = { [K in keyof typeof paging]?: z.output<(typeof paging)[K]> | undefined };

/** What a list of things that belong to payments is asked with. */
export const ofPayment = z.strictObject({
  ...paging,
  payment_intent: text.optional(),
  charge: text.optional(),
});

/** Whether something belongs to the payment that was asked about; to any, where none was named. */
export function isOfPayment({ payment_intent, charge }: z.output<typeof ofPayment>) {
  return (record: { intent: string; charge: string }): boolean =>
    (payment_intent ?? record.intent) === record.intent && (charge ?? record.charge) === record.charge;
}

/**
 * A page of a list as Stripe cuts it, newest first.
 * @param records oldest first, already filtered
 * @throws {Refusal} when the cursor names nothing in the list
 */
export function page<R extends { id: string; created: number }>(
  url: string,
  noun: string,
  records: R[],
  asked: Paging,
  render: (record: R) => object,
): Record<string, unknown> {
  const limit = asked.limit ?? 10;
  const newest = records.filter((record) => wasCreated(record.created, asked.created)).reverse();
  const position = (id: string, param: string) => {
    const index = newest.findIndex((record) => record.id === id);
    if (index === -1) throw noSuch(noun, id, param);
    return index;
  };
  const after = asked.starting_after;
  const before = asked.ending_before;
  const start = after === undefined ? 0 : position(after, 'starting_after') + 1;
  const end = before === undefined ? newest.length : position(before, 'ending_before');
  const window = newest.slice(start, end);
  // Going backwards, the page is the one that ends right before the cursor.
  const data = before === undefined ? window.slice(0, limit) : window.slice(-limit);
  return { object: 'list', url, has_more: window.length > data.length, data: data.map(render) };
}

function wasCreated(created: number, asked: Paging['created']): boolean {
  if (asked === undefined) return true;
  if (typeof asked === 'number') return created === asked;
  return (
    created > (asked.gt ?? -Infinity) &&
    created >= (asked.gte ?? -Infinity) &&
    created < (asked.lt ?? Infinity) &&
    created <= (asked.lte ?? Infinity)
  );
}
