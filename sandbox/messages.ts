import * as z from 'zod/mini';

// The messages between the shop's process and the process of the stand-ins.

const Port = z.int().check(z.gte(0), z.lte(65_535));

/** The only message to the process of the stand-ins: which ones to start, and where. */
export const StartMessage = z.object({
  dataFolder: z.string(),
  /** The address to listen on. */
  host: z.string(),
  /** TCP ports; 0 for any free one. */
  ports: z.object({ cards: Port, google: Port, mail: Port, smtp: Port, carriers: Port }),
  which: z.object({ cards: z.boolean(), google: z.boolean(), mail: z.boolean(), carriers: z.boolean() }),
  /** The URL that the card sandbox posts events to. */
  webhookUrl: z.string(),
  /** The URL that the stand-in for carriers posts events to. */
  carrierWebhookUrl: z.string(),
  /** The origins of the shop. */
  shopOrigins: z.array(z.string()),
});
export type StartMessage = z.infer<typeof StartMessage>;

export const StandIns = z.object({
  cards: z.optional(
    z.object({
      apiUrl: z.string(),
      /** The script that defines `window.Stripe`. */
      scriptUrl: z.string(),
      secretKey: z.string(),
      publishableKey: z.string(),
      webhookSecret: z.string(),
    }),
  ),
  google: z.optional(z.object({ issuer: z.string(), clientId: z.string(), clientSecret: z.string() })),
  carriers: z.optional(z.object({ apiUrl: z.string(), apiKey: z.string(), webhookSecret: z.string() })),
  mail: z.optional(
    z.object({
      smtpUrl: z.string(),
      inboxUrl: z.string(),
      /** The hook for text messages, which the inbox shows as well. `key` signs them and is base64. */
      sms: z.object({ url: z.string(), key: z.string() }),
    }),
  ),
});
export type StandIns = z.infer<typeof StandIns>;

export const StartResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), standIns: StandIns }),
  /** The start failed for the reason in `sentence`, and the process exits. */
  z.object({ kind: z.literal('failed'), sentence: z.string() }),
]);
export type StartResult = z.infer<typeof StartResult>;
