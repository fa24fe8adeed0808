import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { parseJson } from '#contract/json.ts';
import { MAXIMUM_PAGE_ROWS, type Paging } from '#contract/scalars.ts';
import type { Page, PageRequest } from '../database/page.ts';
import { Refusal } from './refusal.ts';
import { Bytes, type Call } from './serve.ts';

/** The most bytes of JSON in a page, unless its first item alone is longer. */
export const MAXIMUM_PAGE_BYTES = 256 * 1024;

function unknownCursor(): Refusal {
  return new Refusal('invalid_input', 'The cursor is not one that this list has given.', {
    errors: { cursor: 'Unknown cursor' },
  });
}

/** A row number in its only spelling, so that two spellings of a page are one page. */
function rowNumber(cursor: string): string {
  if (!/^\d{1,18}$/.test(cursor)) throw unknownCursor();
  return String(BigInt(cursor));
}

/** The page that a call asks for of a list by row number. @throws Refusal for a cursor that is none of ours */
export function pageRequest({ cursor, limit = MAXIMUM_PAGE_ROWS }: Paging): PageRequest {
  return { limit, after: cursor === undefined ? null : rowNumber(cursor) };
}

/** Writes the key of a row, of whatever columns it has, as a cursor. */
export const encodeCursor = (key: unknown): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** The page that a call asks for of a list by another key. @throws Refusal for a cursor that is none of ours */
export function keyedPageRequest<Schema extends z.ZodMiniType>(
  { cursor, limit = MAXIMUM_PAGE_ROWS }: Paging,
  key: Schema,
): PageRequest<z.output<Schema>> {
  if (cursor === undefined) return { limit, after: null };
  const parsed = z.safeParse(key, parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) throw unknownCursor();
  return { limit, after: parsed.data };
}

/** A page as it is sent. */
export interface SerializedPage {
  /** A JSON array in UTF-8. */
  json: Buffer;
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** Text as bytes in memory of their own: a small buffer of the shared pool would keep all of the pool alive. */
export function utf8(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Serializes a page as a JSON array of at most {@link MAXIMUM_PAGE_BYTES}; rows that do not fit are left to the next
 * page. The first row is always included.
 */
export function serializePage<Row>(
  { rows, hasMore, cursorOf }: Page<Row>,
  toItem: (row: Row) => unknown,
): SerializedPage {
  const items: string[] = [];
  let bytes = 2;
  for (const row of rows) {
    const item = JSON.stringify(toItem(row));
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > MAXIMUM_PAGE_BYTES && items.length > 0) break;
    items.push(item);
  }
  const last = rows[items.length - 1];
  const complete = items.length === rows.length && !hasMore;
  return {
    json: utf8(`[${items.join(',')}]`),
    next: complete || last === undefined ? null : cursorOf(last),
  };
}

const Loose = z.record(z.string(), z.unknown());

/** What of a call says which list is asked for, and where the answer goes. */
type ListCall = Pick<Call<Endpoint>, 'params' | 'query' | 'request' | 'reply'>;

/**
 * The Link header that names the next page, made from the parsed input alone: parameters that the call does not know
 * are not repeated.
 */
export function nextLink({ request, params, query }: ListCall, cursor: string): string {
  const named = z.safeParse(Loose, params).data ?? {};
  const path = (request.routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(named[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(z.safeParse(Loose, query).data ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  search.set('cursor', cursor);
  return `<${path}?${search}>; rel="next"`;
}

type ItemOf<E extends Endpoint> = z.input<E['answer']> extends readonly (infer Item)[] ? Item : never;

/** Answers a page of a list, and names the next one in the Link header if there is one. */
export function sendPage<E extends Endpoint, Row>(
  call: { endpoint: E } & ListCall,
  page: Page<Row>,
  toItem: (row: Row) => ItemOf<E>,
): Bytes {
  const { json, next } = serializePage(page, toItem);
  if (next !== null) call.reply.header('link', nextLink(call, next));
  return new Bytes(json);
}
