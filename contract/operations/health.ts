import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';

/** From good to bad: nothing to do, something to look at, something that does not work. */
export const healthStates = ['fine', 'look', 'broken'] as const;
export type HealthState = (typeof healthStates)[number];

/** The parts of a shop in the order in which they are shown. Without a hook for text messages, `sms` is missing, and `carriers` in a shop that buys no labels. */
export const healthSubjects = [
  'shop',
  'identity',
  'database',
  'jobs',
  'backups',
  'email',
  'sms',
  'payments',
  'balance',
  'commission',
  'parcels',
  'carriers',
  'photos',
  'search',
] as const;
export type HealthSubject = (typeof healthSubjects)[number];

export const HealthCheck = z.object({
  subject: z.enum(healthSubjects),
  state: z.enum(healthStates),
  /** What was found, as a sentence. */
  finding: z.string(),
  /** What the operator can do, as a sentence; null when there is nothing to do. */
  advice: z.nullable(z.string()),
  figures: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

export const Health = z.object({
  /** ISO 8601 in UTC. */
  checkedAt: z.string(),
  /** The worst state of all checks. */
  state: z.enum(healthStates),
  checks: z.array(HealthCheck),
});
export type Health = z.infer<typeof Health>;

export const readHealth = endpoint({
  method: 'GET',
  path: '/health',
  access: ['Admin'],
  rights: ['settings', 'money'],
  summary: 'Whether each part of the shop works, and what the operator can do; checked at most every 5 s',
  response: Health,
});
