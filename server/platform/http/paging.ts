import * as z from 'zod/mini';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import { parseJson } from '#contract/platform/json.ts';
import { MAXIMUM_PAGE_ROWS, type Paging } from '#contract/platform/scalars.ts';
import type { Page, PageRequest } from '../database/keyset-page.ts';
import { Refusal } from './refusal.ts';
import { type Call, SerializedJson, toContract } from './serve.ts';

/** The most bytes of JSON in a page, unless its first item alone is longer. */
export const MAXIMUM_PAGE_BYTES = 256 * 1024;

/** The refusal of a cursor that is not one of a list, or one of another order. */
export function unknownCursor(): Refusal {
  return new Refusal('invalid_input', 'The cursor is not one that this list has given.', {
    errors: { cursor: 'Unknown cursor' },
  });
}

/** A row number in canonical form, so that each page has one cache key. */
function rowNumber(cursor: string): string {
  if (!/^\d{1,18}$/.test(cursor)) throw unknownCursor();
  return String(BigInt(cursor));
}

/** The requested page of a list sorted by row number. @throws Refusal for an invalid cursor */
export function pageRequest({ cursor, limit = MAXIMUM_PAGE_ROWS }: Paging): PageRequest {
  return { limit, after: cursor === undefined ? null : rowNumber(cursor) };
}

/** Encodes the sort key of a row as a cursor. */
export const encodeCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** The requested page of a list sorted by another key. @throws Refusal for an invalid cursor */
export function keyedPageRequest<Schema extends z.ZodMiniType>(
  { cursor, limit = MAXIMUM_PAGE_ROWS }: Paging,
  key: Schema,
): PageRequest<z.output<Schema>> {
  if (cursor === undefined) return { limit, after: null };
  const parsed = z.safeParse(key, parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) throw unknownCursor();
  return { limit, after: parsed.data };
}

/** A serialized page. */
export interface SerializedPage<Json = Buffer> {
  /** A JSON array in UTF-8. */
  json: Json;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** Encodes text in a buffer of its own: a small buffer of Node's shared pool would retain the whole pool. */
export function utf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The most bytes of UTF-8 per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** Whether text fits into a page. */
const fits = (text: string): boolean =>
  text.length * BYTES_PER_UNIT <= MAXIMUM_PAGE_BYTES || Buffer.byteLength(text) <= MAXIMUM_PAGE_BYTES;

/** Serializes the first items that fit into a page, at least one. */
function serializeFitting(items: readonly unknown[]): string[] {
  const fitting: string[] = [];
  let bytes = 2;
  for (const item of items) {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAXIMUM_PAGE_BYTES && fitting.length > 0) break;
    fitting.push(text);
  }
  return fitting;
}

/** Serializes a page like {@link serializePage}, as a string. @param items of its rows */
function serializePageAsText<Row>(
  { rows, hasMore, cursorOf }: Page<Row>,
  items: readonly unknown[],
): SerializedPage<string> {
  let json = JSON.stringify(items);
  let count = items.length;
  if (!fits(json)) {
    const fitting = serializeFitting(items);
    json = `[${fitting.join(',')}]`;
    count = fitting.length;
  }
  const last = rows[count - 1];
  const complete = count === rows.length && !hasMore;
  return { json, next: complete || last === undefined ? null : cursorOf(last) };
}

/**
 * Serializes a page as a JSON array of at most {@link MAXIMUM_PAGE_BYTES}; rows that do not fit are left to the next
 * page. The first row is always included.
 */
export function serializePage<Row>(page: Page<Row>, toItem: (row: Row) => unknown): SerializedPage {
  const { json, next } = serializePageAsText(page, page.rows.map(toItem));
  return { json: utf8(json), next };
}

const UnknownRecord = z.record(z.string(), z.unknown());

/** The parts of a call that identify a list and its response. */
type ListCall = Pick<Call<Endpoint>, 'params' | 'query' | 'request' | 'reply'>;

/** The Link header of the next page. It repeats only the parameters that the call defines. */
export function nextLink({ request, params, query }: ListCall, cursor: string): string {
  const named = z.safeParse(UnknownRecord, params).data ?? {};
  const path = (request.routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(named[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(z.safeParse(UnknownRecord, query).data ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  search.set('cursor', cursor);
  return `<${path}?${search}>; rel="next"`;
}

/** A call whose response is a list. */
type ListEndpoint = Omit<Endpoint, 'response'> & {
  response: z.ZodMiniType<readonly unknown[], readonly unknown[]>;
};

type ItemOf<E extends ListEndpoint> = z.input<E['response']>[number];

/** Sends a page of a list, with a Link header if there is a next page. */
export function sendPage<E extends ListEndpoint, Row>(
  call: { endpoint: E } & ListCall,
  page: Page<Row>,
  toItem: (row: Row) => ItemOf<E>,
): SerializedJson {
  // As text, which Node sends together with the headers.
  const items = toContract<ListEndpoint>(call.endpoint, page.rows.map(toItem));
  const { json, next } = serializePageAsText(page, items);
  if (next !== null) call.reply.header('link', nextLink(call, next));
  return new SerializedJson(json);
}
