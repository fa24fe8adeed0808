import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** What a browser must know to reach the providers behind this shop; nothing in it is secret. */
export const Settings = z.object({
  identity: z.object({ url: z.string(), google: z.boolean() }),
  cards: z.object({
    publishableKey: z.string(),
    /** Where `window.Stripe` comes from when it is not Stripe's own script. */
    scriptUrl: z.nullable(z.string()),
  }),
  /** `ownHost`: the built-in image host, the only one that gets the bearer token. */
  photos: z.object({ uploadUrl: z.string(), ownHost: z.boolean() }),
});
export type Settings = z.infer<typeof Settings>;

export const readSettings = endpoint({
  method: 'GET',
  path: '/settings',
  access: 'public',
  summary: 'Where the identity provider, the card processor and the image host are',
  answer: Settings,
});
