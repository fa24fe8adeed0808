import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Paging } from '#contract/scalars.ts';
import type { Slice } from '../database/slice.ts';
import { Refusal } from './refusal.ts';

/** How many rows a list answers when it is not asked for pages. */
export const MAXIMUM_ROWS = 1000;

function demandNumber(cursor: string): string {
  if (!/^\d{1,18}$/.test(cursor)) {
    throw new Refusal('invalid_input', 'The cursor is not one that this list has given.', {
      errors: { cursor: 'Unknown cursor' },
    });
  }
  return cursor;
}

/** The slice that a call asks for. @throws Refusal when the cursor is not one of ours */
export function sliceOf({ cursor, limit = MAXIMUM_ROWS }: Paging): Slice {
  return { limit: limit + 1, before: cursor === undefined ? null : demandNumber(cursor) };
}

/** The same for a list whose order changes while it is read: counted rows instead of a row number. */
export function offsetOf({ cursor, limit = MAXIMUM_ROWS }: Paging): { limit: number; offset: number } {
  return { limit, offset: cursor === undefined ? 0 : Math.min(Number(demandNumber(cursor)), 1_000_000) };
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
