import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/waiting.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { listWaiting, type WaitingDependencies } from './actions.ts';

/** Tells signed-in people what waits for them. */
export async function waitingPlugin(
  app: FastifyInstance,
  { api, ...dependencies }: WaitingDependencies & { api: Api },
): Promise<void> {
  await registerCalls(app, api, (serve) =>
    serve(contract.listWaiting, ({ caller }) => listWaiting(dependencies, caller)),
  );
}
