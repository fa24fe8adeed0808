import type { FastifyInstance } from 'fastify';
import { readHealth } from '#contract/operations/health.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { createHealthCheck, type HealthDependencies } from './actions.ts';

export type HealthOptions = Context & HealthDependencies;

/** Tells admins whether each part of the shop works. */
export async function healthPlugin(app: FastifyInstance, options: HealthOptions): Promise<void> {
  const checkHealth = createHealthCheck(options);
  await registerCalls(app, options.api, (serve) => serve(readHealth, () => checkHealth()));
}
