import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceQuery } from '../database/pool-adapter.ts';
import type { TraceJob } from '../jobs/queue.ts';
import { traceOutgoingRequests } from './outgoing-requests.ts';
import { traceRequestsWith } from './requests.ts';

/** Spans that wait to be sent. Further ones are dropped, so that a collector that is away costs no more memory. */
const MAX_WAITING_SPANS = 4_096;

/** The longest time that sending spans takes, in milliseconds, also when the process ends. */
const EXPORT_TIMEOUT_MS = 3_000;

/** A collector that is away is reported at most this often, in milliseconds. */
const REPORT_INTERVAL_MS = 60_000;

/** The largest attribute, in characters. A query is an attribute. */
const MAX_ATTRIBUTE_LENGTH = 2_000;

/** Which traces are recorded, by the names of OpenTelemetry's `OTEL_TRACES_SAMPLER`. */
export interface Sampling {
  sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** The part of the traces that `traceidratio` records, from 0 to 1. */
  ratio: number;
}

/** Records what the shop does as OpenTelemetry spans. */
export type Tracing = ReturnType<typeof startTracing>;

function createSampler({ sampler, ratio }: Sampling): Sampler {
  if (sampler === 'always_on') return new AlwaysOnSampler();
  return sampler === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Returns the command of a query, such as `INSERT`. Comments stand before or after it. */
const commandOf = (text: string): string =>
  /[a-z]+/i.exec(text.replaceAll(/\/\*[^*]*\*\//g, ''))?.[0].toUpperCase() ?? 'QUERY';

/** Ends a span. @param error of what it stands for, or null */
function end(span: Span, error: unknown): void {
  if (error !== null) {
    // The message is not sent: messages of PostgreSQL contain values.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
  }
  span.end();
}

/**
 * Starts to record spans and to send them as OTLP over HTTP. The packages read the address of the collector, its headers, the
 * service's name and its attributes from OpenTelemetry's own variables.
 * @param options.continuesTraces whether requests continue the trace of their `traceparent`, which is for proxies that
 *   can be trusted. It never changes what is recorded
 * @param options.onError called when spans could not be sent, at most once a minute
 */
export function startTracing({
  sampling,
  continuesTraces,
  onError,
}: {
  sampling: Sampling;
  continuesTraces: boolean;
  onError: (error: unknown) => void;
}) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (error: unknown): void => {
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    onError(error);
  };
  setGlobalErrorHandler(report);
  const sampler = createSampler(sampling);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'coomercio',
      'process.pid': process.pid,
    }).merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: new ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        maxQueueSize: MAX_WAITING_SPANS,
        scheduledDelayMillis: 2_000,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const tracer = provider.getTracer('coomercio');
  const endOutgoing = traceOutgoingRequests(tracer, end);

  const traceQuery: TraceQuery = (text) => {
    const span = tracer.startSpan(commandOf(text), {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    });
    return (error) => end(span, error);
  };

  const traceJob: TraceJob = async (name, run) => {
    const span = tracer.startSpan(`job ${name}`, { kind: SpanKind.CONSUMER, root: true });
    try {
      const result = await context.with(trace.setSpan(context.active(), span), run);
      end(span, null);
      return result;
    } catch (error) {
      end(span, error);
      throw error;
    }
  };

  return {
    traceRequests: traceRequestsWith(tracer, { continuesTraces }),
    traceQuery,
    traceJob,
    /** Sends what waits, within some seconds, and ends. Never fails. */
    stop: async (): Promise<void> => {
      endOutgoing();
      await provider.shutdown().catch(report);
    },
  };
}
