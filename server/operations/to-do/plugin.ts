import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/operations/to-do.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { listToDo } from './actions.ts';

/** Tells signed-in people what waits for them. */
export async function toDoPlugin(app: FastifyInstance, context: Context): Promise<void> {
  await registerCalls(app, context.api, (serve) =>
    serve(contract.listToDo, ({ caller }) => listToDo(context, caller)),
  );
}
