import * as z from 'zod/mini';

/** The requests that the load generator repeats. */
export const LoadOrder = z.object({
  origin: z.string(),
  /** How long, in seconds. */
  seconds: z.number(),
  /** How many requests are under way at any moment, each on a connection of its own. */
  connections: z.int(),
  /** The only status that counts as answered. */
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  work: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), path: z.string() }),
    /** Each connection requests its own share of the paths. */
    z.object({ kind: z.literal('pages'), paths: z.array(z.string()) }),
    /** Each request is another pair of buyer and laptop, from the pair number `from` on. */
    z.object({
      kind: z.literal('bookings'),
      tokens: z.array(z.string()),
      laptops: z.array(z.object({ id: z.string(), price: z.number() })),
      from: z.int(),
    }),
  ]),
});
export type LoadOrder = z.infer<typeof LoadOrder>;

export const LoadReport = z.object({
  /** Answers as expected. */
  answered: z.int(),
  /** Other answers, broken connections and timeouts. */
  failed: z.int(),
  /** Number of failures by kind. */
  failures: z.record(z.string(), z.int()),
  /** From the first request to the last answer, in seconds. */
  seconds: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
});
export type LoadReport = z.infer<typeof LoadReport>;

/** The responses of the minimal server, by path and query. */
export const BareBytesOrder = z.object({
  answers: z.array(
    z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.instanceof(Uint8Array) }),
  ),
});
export type BareBytesOrder = z.infer<typeof BareBytesOrder>;

export const BareQueryOrder = z.object({
  connectionString: z.string(),
  /** The origin in the URLs of the shop's photos. */
  photoOrigin: z.string(),
});
export type BareQueryOrder = z.infer<typeof BareQueryOrder>;

/** The origin of a minimal server. */
export const Listening = z.object({ origin: z.string() });
export type Listening = z.infer<typeof Listening>;
