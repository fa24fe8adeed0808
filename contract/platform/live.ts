import * as z from 'zod/mini';

/** The path below `/api` of a person's stream of server-sent events. It takes the bearer token of the shop. */
export const LIVE_PATH = '/live';

/** The name of the events that tell what has changed. */
export const CHANGE_EVENT = 'change';

/**
 * The data of an event: what changed for the person, without its content. `everything` means that events may have been missed.
 */
export const LiveChange = z.object({
  about: z.enum(['notifications', 'messages', 'orders', 'everything']),
  /** The row that changed, such as a conversation or an order. */
  id: z.optional(z.string()),
});
export type LiveChange = z.infer<typeof LiveChange>;
