import * as z from 'zod/mini';

/** The requests that the load generator repeats. */
export const LoadTask = z.object({
  origin: z.string(),
  /** The duration, in seconds. */
  seconds: z.number(),
  /** The number of connections, each with one request in flight. */
  connections: z.int(),
  /** The expected status; any other counts as a failure. */
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  work: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), path: z.string() }),
    /** The paths are divided among the connections. */
    z.object({ kind: z.literal('pages'), paths: z.array(z.string()) }),
    /** Each request books for another pair of buyer and laptop, starting with pair number `from`. */
    z.object({
      kind: z.literal('bookings'),
      tokens: z.array(z.string()),
      laptops: z.array(z.object({ id: z.string(), price: z.number() })),
      from: z.int(),
    }),
  ]),
});
export type LoadTask = z.infer<typeof LoadTask>;

export const LoadResult = z.object({
  /** The number of expected responses. */
  answered: z.int(),
  /** The number of other responses, connection errors and timeouts. */
  failed: z.int(),
  /** Number of failures by kind. */
  failures: z.record(z.string(), z.int()),
  /** From the first request to the last response, in seconds. */
  seconds: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
});
export type LoadResult = z.infer<typeof LoadResult>;

/** The responses of the minimal server, by path and query. */
export const BareBytesTask = z.object({
  responses: z.array(
    z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.instanceof(Uint8Array) }),
  ),
});
export type BareBytesTask = z.infer<typeof BareBytesTask>;

export const BareQueryTask = z.object({
  connectionString: z.string(),
  /** The origin in the URLs of the shop's photos. */
  photoOrigin: z.string(),
});
export type BareQueryTask = z.infer<typeof BareQueryTask>;

/** The origin of a minimal server. */
export const Listening = z.object({ origin: z.string() });
export type Listening = z.infer<typeof Listening>;
