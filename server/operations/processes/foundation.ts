import * as z from 'zod/mini';
import type { Providers } from '../configuration/providers.ts';

/** What runs before a process can serve requests: a migrated database and the providers, stand-ins included. */
export interface Foundation {
  /** The database, perhaps through a pooler in transaction mode. */
  databaseUrl: string;
  /** PostgreSQL itself. */
  directUrl: string;
  providers: Providers;
}

/** The environment variable in which the supervisor passes it to its processes, as JSON. */
const VARIABLE = 'COOMERCIO_FOUNDATION';

const PassedUrl = z.pipe(
  z.url(),
  z.transform((url) => new URL(url)),
);

const PassedFoundation = z.object({
  databaseUrl: z.string(),
  directUrl: z.string(),
  providers: z.object({
    cards: z.object({
      secretKey: z.string(),
      publishableKey: z.string(),
      webhookSecret: z.nullable(z.string()),
      apiUrl: z.nullable(PassedUrl),
      scriptUrl: z.nullable(z.string()),
    }),
    google: z.nullable(
      z.object({
        clientId: z.string(),
        clientSecret: z.string(),
        issuer: z.optional(z.nullable(z.string())),
      }),
    ),
    smtpUrl: z.string(),
    carriers: z.nullable(
      z.object({ apiKey: z.string(), webhookSecret: z.string(), apiUrl: z.nullable(PassedUrl) }),
    ),
    sms: z.nullable(z.object({ url: z.string(), key: z.string() })),
  }),
});

/** Returns the environment variables with which the supervisor starts a process. */
export function passFoundation(foundation: Foundation): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(foundation) };
}

/** Reads what the supervisor passed to this process. @throws z.core.$ZodError when it did not start this process */
export function receiveFoundation(environment: NodeJS.ProcessEnv): Foundation {
  return z.parse(PassedFoundation, JSON.parse(environment[VARIABLE] ?? 'null'));
}
