import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Paging } from '#contract/scalars.ts';
import { Refusal } from './refusal.ts';

/** How many rows a list answers when it is not asked for pages. */
export const MAXIMUM_ROWS = 1000;

/** A slice of a list, newest first by a row number that only grows. */
export interface Slice {
  /** One more than wanted, so that the store's answer says whether there is a next page. */
  limit: number;
  /** Only rows with smaller numbers. */
  before: string | null;
}

/** The slice that a call asks for. @throws Refusal when the cursor is not one of ours */
export function sliceOf(query: Paging): Slice {
  const { cursor = null, limit = MAXIMUM_ROWS } = query;
  if (cursor !== null && !/^\d{1,18}$/.test(cursor)) {
    throw new Refusal('invalid_input', 'The cursor is not one that this list has given.', {
      errors: { cursor: 'Unknown cursor' },
    });
  }
  return { limit: limit + 1, before: cursor };
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

/** The Link header value that names the next page. */
export function nextLink(request: FastifyRequest, cursor: string): string {
  const url = new URL(request.originalUrl, 'http://shop');
  url.searchParams.set('cursor', cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
}

/** Says in the Link header where the next page is, if there is one. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, next: string | null): void {
  if (next !== null) reply.header('link', nextLink(request, next));
}
