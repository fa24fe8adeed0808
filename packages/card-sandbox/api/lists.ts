import type { z } from 'zod';
import { render } from '../resources/render.ts';
import type { ApiRecord } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { notFound, requireRecord } from './api-error.ts';
import type { Call, Endpoint, List } from './endpoint.ts';
import { paging, readId, readParameters, text } from './parameters.ts';

type Paging = z.output<typeof paging>;

const listParameters = paging.extend({ payment_intent: text.optional(), charge: text.optional() });

/** Creates the endpoints that list all records of a kind, or those of a payment, and that retrieve one. */
export function listAndRetrieveEndpoints(
  kind: 'refund' | 'dispute' | 'earlyFraudWarning',
  path: string,
): Endpoint[] {
  const list = (store: Store, call: Call) => {
    const query = readParameters(listParameters, call.parameters);
    const { payment_intent: intent, charge } = query;
    const records = store
      .all(kind)
      .filter((record) => intent === undefined || intent === record.intent)
      .filter((record) => charge === undefined || charge === record.charge);
    return listPage(store, path, kind, records, query);
  };
  return [{ method: 'GET', path, handle: list }, retrieveEndpoint(kind, path)];
}

/** Creates the endpoint that retrieves a record. @param param what an error calls the id */
export const retrieveEndpoint = (
  kind: Exclude<ApiRecord['kind'], 'paymentMethod'>,
  path: string,
  param?: string,
): Endpoint => ({
  method: 'GET',
  path: `${path}/:id`,
  handle: (store, call) => requireRecord(store, kind, readId(call), param),
});

/**
 * Returns one page of a list as Stripe does, newest first.
 * @param records oldest first, already filtered
 * @throws {ApiError} if the cursor is not in the list
 */
export function listPage(
  store: Store,
  url: string,
  kind: ApiRecord['kind'],
  records: ApiRecord[],
  query: Paging,
): List {
  const { limit, starting_after: after, ending_before: before } = query;
  const newest = records.filter((record) => isCreatedWithin(record.created, query.created)).reverse();
  const position = (id: string, param: string) => {
    const index = newest.findIndex((record) => record.id === id);
    if (index === -1) throw notFound(kind, id, param);
    return index;
  };
  const start = after === undefined ? 0 : position(after, 'starting_after') + 1;
  const end = before === undefined ? newest.length : position(before, 'ending_before');
  const window = newest.slice(start, end);
  // With `ending_before`, the page is the one right before the cursor.
  const data = before === undefined ? window.slice(0, limit) : window.slice(-limit);
  return {
    object: 'list',
    url,
    has_more: window.length > data.length,
    data: data.map((record) => render(store, record)),
  };
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
