import * as z from 'zod/mini';

/** What the shop's process and the process of the stand-ins tell each other over their channel. */

const Port = z.int().check(z.gte(0), z.lte(65_535));

/** The first and only order: which stand-ins to run, and where. */
export const Order = z.object({
  dataFolder: z.string(),
  /** The address to listen on. */
  host: z.string(),
  /** 0 for any free one. */
  ports: z.object({ cards: Port, google: Port, mail: Port, smtp: Port }),
  which: z.object({ cards: z.boolean(), google: z.boolean(), mail: z.boolean() }),
  /** Where the card processor's events go. */
  webhookUrl: z.string(),
  /** The origins at which the shop stands. */
  shopOrigins: z.array(z.string()),
});
export type Order = z.infer<typeof Order>;

export const StandIns = z.object({
  cards: z.optional(
    z.object({
      apiUrl: z.string(),
      /** What gives a page `window.Stripe`. */
      scriptUrl: z.string(),
      secretKey: z.string(),
      publishableKey: z.string(),
      webhookSecret: z.string(),
      dashboardUrl: z.string(),
    }),
  ),
  google: z.optional(z.object({ issuer: z.string(), clientId: z.string(), clientSecret: z.string() })),
  mail: z.optional(z.object({ smtpUrl: z.string(), inboxUrl: z.string() })),
});
export type StandIns = z.infer<typeof StandIns>;

export const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), standIns: StandIns }),
  /** It did not start; the sentence says why, and the process ends. */
  z.object({ kind: z.literal('failed'), sentence: z.string() }),
]);
export type Report = z.infer<typeof Report>;
