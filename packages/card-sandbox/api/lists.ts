import { z } from 'zod';
import { notFound } from './api-error.ts';
import { paging, text } from './parameters.ts';

type Paging = { [K in keyof typeof paging]?: z.output<(typeof paging)[K]> | undefined };

/** The parameters of a list of objects that belong to a payment. */
export const paymentListParameters = z.strictObject({
  ...paging,
  payment_intent: text.optional(),
  charge: text.optional(),
});

/** Returns a filter for the records of the requested payment; without one, it accepts all. */
export function matchesPayment({ payment_intent, charge }: z.output<typeof paymentListParameters>) {
  return (record: { intent: string; charge: string }): boolean =>
    (payment_intent ?? record.intent) === record.intent && (charge ?? record.charge) === record.charge;
}

/**
 * Returns one page of a list as Stripe does, newest first.
 * @param noun the record's name in an error, such as `payment_intent`
 * @param records oldest first, already filtered
 * @throws {ApiError} if the cursor is not in the list
 */
export function listPage<R extends { id: string; created: number }>(
  url: string,
  noun: string,
  records: R[],
  query: Paging,
  render: (record: R) => object,
): Record<string, unknown> {
  const limit = query.limit ?? 10;
  const newest = records.filter((record) => isCreatedWithin(record.created, query.created)).reverse();
  const position = (id: string, param: string) => {
    const index = newest.findIndex((record) => record.id === id);
    if (index === -1) throw notFound(noun, id, param);
    return index;
  };
  const after = query.starting_after;
  const before = query.ending_before;
  const start = after === undefined ? 0 : position(after, 'starting_after') + 1;
  const end = before === undefined ? newest.length : position(before, 'ending_before');
  const window = newest.slice(start, end);
  // With `ending_before`, the page is the one right before the cursor.
  const data = before === undefined ? window.slice(0, limit) : window.slice(-limit);
  return { object: 'list', url, has_more: window.length > data.length, data: data.map(render) };
}

function isCreatedWithin(created: number, query: Paging['created']): boolean {
  if (query === undefined) return true;
  if (typeof query === 'number') return created === query;
  return (
    created > (query.gt ?? -Infinity) &&
    created >= (query.gte ?? -Infinity) &&
    created < (query.lt ?? Infinity) &&
    created <= (query.lte ?? Infinity)
  );
}
