import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/waiting.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { listWaiting } from './actions.ts';

/** Tells signed-in people what waits for them. */
export async function waitingPlugin(app: FastifyInstance, context: Context): Promise<void> {
  await registerCalls(app, context.api, (serve) =>
    serve(contract.listWaiting, ({ caller }) => listWaiting(context, caller)),
  );
}
