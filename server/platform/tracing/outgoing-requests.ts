import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import * as z from 'zod/mini';

/** What Node publishes of a request of `node:http`, which the card processor's and the object storage's libraries use. */
const HttpMessage = z.object({
  request: z.custom<{ method: string; host: string }>(
    (request) => z.safeParse(z.object({ method: z.string(), host: z.string() }), request).success,
  ),
  response: z.optional(z.object({ statusCode: z.number() })),
  error: z.optional(z.unknown()),
});

/** What Node publishes of a request of `fetch`. */
const FetchMessage = z.object({
  request: z.custom<{ method: string; origin: string | URL }>(
    (request) =>
      z.safeParse(z.object({ method: z.string(), origin: z.union([z.string(), z.instanceof(URL)]) }), request)
        .success,
  ),
  response: z.optional(z.object({ statusCode: z.number() })),
  error: z.optional(z.unknown()),
});

interface Outgoing {
  /** Identifies the request. */
  request: object;
  method: string;
  host: string;
  status: number | undefined;
  error: unknown;
}

/** Reads a message of one of the channels. @returns null for a request of another kind */
function readMessage(message: unknown): Outgoing | null {
  const http = z.safeParse(HttpMessage, message);
  if (http.success) {
    const { request, response, error } = http.data;
    return { request, method: request.method, host: request.host, status: response?.statusCode, error };
  }
  const fetched = z.safeParse(FetchMessage, message);
  if (!fetched.success) return null;
  const { request, response, error } = fetched.data;
  const host = new URL(request.origin).hostname;
  return { request, method: request.method, host, status: response?.statusCode, error };
}

/**
 * Records a span for each request that this process sends, with its host but not its path, which can contain personal data.
 * @param end ends a span, with an error or null
 * @returns a function that stops recording
 */
export function traceOutgoingRequests(tracer: Tracer, end: (span: Span, error: unknown) => void): () => void {
  const spans = new WeakMap<object, Span>();

  const begin = (message: unknown): void => {
    const outgoing = readMessage(message);
    if (outgoing === null) return;
    const { request, method, host } = outgoing;
    const attributes = { 'http.request.method': method, 'server.address': host };
    spans.set(request, tracer.startSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }));
  };
  const finish = (message: unknown): void => {
    const outgoing = readMessage(message);
    const span = outgoing === null ? undefined : spans.get(outgoing.request);
    if (outgoing === null || span === undefined) return;
    spans.delete(outgoing.request);
    if (outgoing.status !== undefined) span.setAttribute('http.response.status_code', outgoing.status);
    end(span, outgoing.error ?? null);
  };

  const subscriptions = [
    ['http.client.request.created', begin],
    ['http.client.response.finish', finish],
    ['http.client.request.error', finish],
    ['undici:request:create', begin],
    ['undici:request:headers', finish],
    ['undici:request:error', finish],
  ] as const;
  for (const [name, listener] of subscriptions) subscribe(name, listener);
  return () => {
    for (const [name, listener] of subscriptions) unsubscribe(name, listener);
  };
}
