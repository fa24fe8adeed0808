import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import * as z from 'zod/mini';

/**
 * What Node publishes of a request: of `node:http`, which the card processor's and the object storage's libraries use, with its
 * host; of `fetch` with its origin.
 */
const Message = z.object({
  request: z.union([
    z.object({ method: z.string(), host: z.string() }),
    z.object({ method: z.string(), origin: z.union([z.string(), z.instanceof(URL)]) }),
  ]),
  response: z.optional(z.object({ statusCode: z.number() })),
  error: z.optional(z.unknown()),
});

/** A guard, because the parsed message has another `request`, and a request is recognized by its identity. */
const isMessage = (message: unknown): message is z.infer<typeof Message> =>
  z.safeParse(Message, message).success;

/**
 * Records a span for each request that this process sends, with its host but not its path, which can contain personal data.
 * @param end ends a span, with an error or null
 * @returns a function that stops recording
 */
export function traceOutgoingRequests(tracer: Tracer, end: (span: Span, error: unknown) => void): () => void {
  const spans = new WeakMap<object, Span>();

  const begin = (message: unknown): void => {
    if (!isMessage(message)) return;
    const { request } = message;
    const host = 'origin' in request ? new URL(request.origin).hostname : request.host;
    const attributes = { 'http.request.method': request.method, 'server.address': host };
    spans.set(request, tracer.startSpan(`${request.method} ${host}`, { kind: SpanKind.CLIENT, attributes }));
  };
  const finish = (message: unknown): void => {
    if (!isMessage(message)) return;
    const { request, response, error } = message;
    const span = spans.get(request);
    if (span === undefined) return;
    spans.delete(request);
    if (response) span.setAttribute('http.response.status_code', response.statusCode);
    end(span, error ?? null);
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
