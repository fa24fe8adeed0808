import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { parseJson } from './json.ts';
import { type HeldLaptop, ProblemDocument } from './refusals.ts';

/** A refusal, a failure of the server or a network failure, each with a sentence for people as its message. */
export class Problem extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  /** For bad input: a sentence per field. */
  readonly errors: Readonly<Record<string, string>>;
  /** When trying again makes sense, if the server said so. */
  readonly retryAt: Date | null;
  /** The caller's place in line, from 1. */
  readonly place: number | null;
  /** What the caller holds already. */
  readonly holds: readonly HeldLaptop[];

  constructor(document: Pick<ProblemDocument, 'status' | 'code' | 'detail'> & Partial<ProblemDocument>) {
    super(document.detail);
    this.name = 'Problem';
    this.status = document.status;
    this.code = document.code;
    this.errors = document.errors ?? {};
    this.retryAt = document.retryAt === undefined ? null : new Date(document.retryAt);
    this.place = document.place ?? null;
    this.holds = document.holds ?? [];
  }
}

type Given<Schema extends z.ZodMiniType, Name extends string> = [z.input<Schema>] extends [undefined]
  ? Record<never, never>
  : { [key in Name]: z.input<Schema> };

/** For calls that take an idempotency key: sent again with the same input, it makes the call a retry. */
type Keyed<E extends Endpoint> = E['idempotencyKey'] extends true
  ? { idempotencyKey?: string }
  : Record<never, never>;

type Input<E extends Endpoint> = Given<E['params'], 'params'> &
  Given<E['query'], 'query'> &
  Given<E['body'], 'body'> &
  Keyed<E> & { signal?: AbortSignal };

/** A page of a list: its items and, when there are more, the cursor of the next page. */
export interface Page<Items> {
  items: Items;
  next: string | null;
}

export interface Client {
  /** Makes a call and answers its parsed answer. @throws Problem */
  call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<z.output<E['answer']>>;
  /** The same for a list, with the cursor of the next page read off the Link header. @throws Problem */
  page<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Page<z.output<E['answer']>>>;
}

const Loose = z.record(z.string(), z.unknown());

function pathOf(path: string, params: unknown): string {
  const given = Loose.safeParse(params);
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given.data?.[name] ?? '')));
}

function queryOf(query: unknown): string {
  const given = Loose.safeParse(query);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given.data ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

const notUnderstood = (status: number) =>
  new Problem({
    status,
    code: 'internal',
    detail: 'The shop answered in a way that this page does not understand. Please try again.',
  });

function problemOf(status: number, body: string): Problem {
  const parsed = ProblemDocument.safeParse(parseJson(body));
  return parsed.success ? new Problem(parsed.data) : notUnderstood(status);
}

function nextCursor(response: Response): string | null {
  const match = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '');
  return match?.[1] === undefined ? null : new URL(match[1], 'http://shop').searchParams.get('cursor');
}

/**
 * Typed calls over any fetch: the browser's, the server renderer's, a test's.
 * @param options.base the URL of the calls, ending in `/api`
 * @param options.token answers the bearer token to send, or null
 * @param options.timeout milliseconds until a call without an answer fails
 */
export function createClient(options: {
  base: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  token: () => string | null | Promise<string | null>;
  timeout?: number;
}): Client {
  const { base, timeout = 30_000 } = options;

  async function send(
    endpoint: Endpoint,
    input: {
      params?: unknown;
      query?: unknown;
      body?: unknown;
      idempotencyKey?: string;
      signal?: AbortSignal;
    },
  ) {
    const token = await options.token();
    const headers = new Headers({ accept: 'application/json' });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (input.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey);
    const init: RequestInit = { method: endpoint.method, headers };
    if (input.body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(input.body);
    }
    const limit = AbortSignal.timeout(timeout);
    init.signal = input.signal === undefined ? limit : AbortSignal.any([limit, input.signal]);
    let response: Response;
    let body: string;
    try {
      response = await options.fetch(
        `${base}${pathOf(endpoint.path, input.params)}${queryOf(input.query)}`,
        init,
      );
      // What breaks off, is given up or takes too long in the middle of the answer never came either.
      body = await response.text();
    } catch (error) {
      if (input.signal?.aborted) throw error;
      throw new Problem({
        status: 0,
        code: 'network',
        detail: limit.aborted
          ? 'The shop takes too long to answer. Please try again.'
          : 'The shop cannot be reached. Please check your connection and try again.',
      });
    }
    if (!response.ok) throw problemOf(response.status, body);
    return { response, body };
  }

  async function page<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
  ): Promise<Page<z.output<E['answer']>>> {
    const { response, body } = await send(endpoint, input);
    const answer = z.safeParse<E['answer']>(endpoint.answer, parseJson(body));
    if (!answer.success) throw notUnderstood(response.status);
    return { items: answer.data, next: nextCursor(response) };
  }

  return {
    page,
    call: async (endpoint, input) => (await page(endpoint, input)).items,
  };
}
