import { z } from 'zod';
import { render } from '../resources/render.ts';
import type { ApiRecord, RecordOf } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { notFound, requireRecord } from './api-error.ts';
import type { Call, Endpoint, List } from './endpoint.ts';
import { paging, readId, readParameters, text } from './parameters.ts';

type Paging = z.output<typeof paging>;

/**
 * Creates the endpoint that lists the records of a kind, newest first; of payouts and balance transactions those of one account.
 * @param filters the parameters that filter, each with the value of a record that it is compared to
 */
export function listEndpoint<K extends ApiRecord['kind']>(
  kind: K,
  path: string,
  filters: Record<string, (record: RecordOf<K>) => string | null> = {},
): Endpoint {
  const filtering = Object.fromEntries(Object.keys(filters).map((name) => [name, text.optional()]));
  // Typed without the filters, which are read from the call.
  const shape: typeof paging.shape = Object.assign({}, paging.shape, filtering);
  const parameters = z.strictObject(shape);
  const handle = (store: Store, call: Call) => {
    const query = readParameters(parameters, call.parameters);
    const records = store.all(kind).filter((record) => {
      if ('account' in record && record.account !== call.account) return false;
      return Object.entries(filters).every(
        ([name, read]) => !(name in call.parameters) || call.parameters[name] === read(record),
      );
    });
    return listPage(store, path, kind, records, query);
  };
  return { method: 'GET', path, allowsAccount: kind === 'payout' || kind === 'movement', handle };
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
