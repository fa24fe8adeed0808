import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/people/audit.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { toResponse } from './rules.ts';
import * as store from './store.ts';

/** The audit trail. */
export async function auditPlugin(app: FastifyInstance, { api, database }: Context): Promise<void> {
  await registerCalls(app, api, (serve) =>
    serve(contract.listAuditTrail, async (call) =>
      sendPage(
        call,
        await store.list(
          database,
          pageRequest(call.query),
          call.caller.isOwner ? null : contract.moneyActions,
        ),
        toResponse,
      ),
    ),
  );
}
