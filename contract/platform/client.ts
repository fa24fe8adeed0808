import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { parseJson } from './json.ts';
import { type OpenPaymentWindow, ProblemDocument } from './refusals.ts';

/** A refusal, a server failure or a network failure. Its message is a sentence for people. */
export class Problem extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: string;
  /** For bad input: a sentence per field. */
  readonly errors: Readonly<Record<string, string>>;
  /** When a retry can succeed; null if unknown. */
  readonly retryAt: Date | null;
  /** The caller's place in line, from 1. */
  readonly place: number | null;
  /** The caller's present payment windows. */
  readonly paymentWindows: readonly OpenPaymentWindow[];

  constructor(document: Pick<ProblemDocument, 'status' | 'code' | 'detail'> & Partial<ProblemDocument>) {
    super(document.detail);
    this.name = 'Problem';
    this.status = document.status;
    this.code = document.code;
    this.errors = document.errors ?? {};
    this.retryAt = document.retryAt === undefined ? null : new Date(document.retryAt);
    this.place = document.place ?? null;
    this.paymentWindows = document.paymentWindows ?? [];
  }
}

/** The properties of an endpoint that the client uses. */
export type Callable = Pick<Endpoint, 'params' | 'query' | 'body' | 'response'> &
  Readonly<{
    method: string;
    path: string;
    idempotencyKey?: boolean;
    changes?: readonly string[];
    access?: string | readonly string[];
    /** Whether it is a call of the identity provider, not of the shop. */
    identity?: true;
  }>;

type InputPart<Schema extends z.ZodMiniType, Name extends string> = [z.input<Schema>] extends [undefined]
  ? Record<never, never>
  : { [key in Name]: z.input<Schema> };

/** The idempotency key. A call with the same key and input is a retry. */
type KeyInput<E extends Callable> = E['idempotencyKey'] extends true
  ? { idempotencyKey?: string }
  : Record<never, never>;

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Lets the request outlive its page (`keepalive` of fetch). */
  keepalive?: boolean | undefined;
}

/** The parts of a request that the endpoint declares. */
export type Input<E extends Callable> = InputPart<E['params'], 'params'> &
  InputPart<E['query'], 'query'> &
  InputPart<E['body'], 'body'> &
  KeyInput<E> &
  CallOptions;

/** A page of a list: its items, and the cursor of the next page or null. */
export interface Page<Items> {
  items: Items;
  next: string | null;
}

export interface Client {
  /** Makes a call. @returns the parsed response @throws Problem */
  call<E extends Callable>(endpoint: E, input: Input<E>): Promise<z.output<E['response']>>;
  /** Reads one page of a list, with the next page's cursor from the Link header. @throws Problem */
  page<E extends Callable>(endpoint: E, input: Input<E>): Promise<Page<z.output<E['response']>>>;
}

const UnknownRecord = z.record(z.string(), z.unknown());

function buildPath(path: string, params: unknown): string {
  const given = UnknownRecord.safeParse(params);
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given.data?.[name] ?? '')));
}

function buildQuery(query: unknown): string {
  const given = UnknownRecord.safeParse(query);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given.data ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Messages of the failures that have no problem document. */
export interface FailureMessages {
  unreachable: string;
  timeout: string;
  /** For a response that does not follow the contract. */
  unexpected: string;
}

const shopMessages: FailureMessages = {
  unreachable: 'The shop cannot be reached. Please check your connection and try again.',
  timeout: 'The shop takes too long to answer. Please try again.',
  unexpected: 'The shop answered in a way that this page does not understand. Please try again.',
};

function nextCursor(response: Response): string | null {
  const match = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '');
  return match?.[1] === undefined ? null : new URL(match[1], 'http://shop').searchParams.get('cursor');
}

/**
 * Creates a typed client for a fetch function: of the browser, the server renderer or a test.
 * @param options.base the base URL of the endpoints, such as `/api`
 * @param options.token returns the bearer token, or null
 * @param options.timeout milliseconds until a call without a response fails
 */
export function createClient(options: {
  base: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  token: () => string | null | Promise<string | null>;
  timeout?: number;
  messages?: FailureMessages;
}): Client {
  const { base, timeout = 30_000, messages = shopMessages } = options;

  const unexpectedAnswer = (status: number) =>
    new Problem({ status, code: 'internal', detail: messages.unexpected });

  async function send(
    endpoint: Callable,
    input: CallOptions & {
      params?: unknown;
      query?: unknown;
      body?: unknown;
      idempotencyKey?: string;
    },
  ) {
    const token = await options.token();
    const headers = new Headers({ accept: 'application/json' });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    if (input.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey);
    const init: RequestInit = { method: endpoint.method, headers };
    if (input.keepalive !== undefined) init.keepalive = input.keepalive;
    if (input.body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(input.body);
    }
    const timeoutController = new AbortController();
    const timer = setTimeout(() => timeoutController.abort(), timeout);
    init.signal =
      input.signal === undefined
        ? timeoutController.signal
        : AbortSignal.any([timeoutController.signal, input.signal]);
    let response: Response;
    let body: string;
    try {
      response = await options.fetch(
        `${base}${buildPath(endpoint.path, input.params)}${buildQuery(input.query)}`,
        init,
      );
      // A response that is aborted or times out after its headers counts as none.
      body = await response.text();
    } catch (error) {
      if (input.signal?.aborted) throw error;
      const detail = timeoutController.signal.aborted ? messages.timeout : messages.unreachable;
      throw new Problem({ status: 0, code: 'network', detail });
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return { response, body };
    const problem = ProblemDocument.safeParse(parseJson(body));
    throw problem.success ? new Problem(problem.data) : unexpectedAnswer(response.status);
  }

  async function page<E extends Callable>(
    endpoint: E,
    input: Input<E>,
  ): Promise<Page<z.output<E['response']>>> {
    const { response, body } = await send(endpoint, input);
    const answer = z.safeParse<E['response']>(endpoint.response, parseJson(body));
    if (!answer.success) throw unexpectedAnswer(response.status);
    return { items: answer.data, next: nextCursor(response) };
  }

  return {
    page,
    call: async (endpoint, input) => (await page(endpoint, input)).items,
  };
}
