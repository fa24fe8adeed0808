import {
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isEventStream, routeTemplate } from '#server/platform/http/request-facts.ts';

/** The context of a request whose trace began in a proxy. */
function contextOfProxy(request: FastifyRequest): Context {
  const header = request.headers.traceparent;
  const parent = typeof header === 'string' ? parseTraceParent(header) : null;
  return parent === null
    ? context.active()
    : trace.setSpanContext(context.active(), { ...parent, isRemote: true });
}

/**
 * Returns a function that records a span for each request of an app. URLs are not recorded: they contain email addresses.
 * All lines that a request logs have its trace's id.
 */
export function traceRequestsWith(tracer: Tracer, { continuesTraces }: { continuesTraces: boolean }) {
  return (app: FastifyInstance): void => {
    const spans = new WeakMap<FastifyRequest, { span: Span; within: Context }>();

    app.addHook('onRequest', (request, reply, done) => {
      const parent = continuesTraces ? contextOfProxy(request) : context.active();
      const span = tracer.startSpan(
        `${request.method} ${routeTemplate(request)}`,
        {
          kind: SpanKind.SERVER,
          attributes: { 'http.request.method': request.method, 'http.route': routeTemplate(request) },
        },
        parent,
      );
      const within = trace.setSpan(parent, span);
      spans.set(request, { span, within });
      const log = request.log.child({ trace_id: span.spanContext().traceId });
      request.log = log;
      reply.log = log;
      context.with(within, done);
    });

    // A body arrives in the context of its connection.
    app.addHook('preValidation', (request, _reply, done) => {
      const found = spans.get(request);
      if (found === undefined) done();
      else context.with(found.within, done);
    });

    const end = (request: FastifyRequest, status: number | null): void => {
      const span = spans.get(request)?.span;
      if (span === undefined) return;
      if (status !== null) span.setAttribute('http.response.status_code', status);
      if (status === null || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      spans.delete(request);
    };
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (isEventStream(reply)) end(request, reply.statusCode);
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      end(request, reply.statusCode);
      done();
    });
    app.addHook('onRequestAbort', (request, done) => {
      end(request, null);
      done();
    });
  };
}
