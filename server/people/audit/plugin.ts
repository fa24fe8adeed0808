import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/people/audit.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { toResponse } from './rules.ts';
import * as store from './store.ts';

/** The audit trail. */
export async function auditPlugin(
  app: FastifyInstance,
  { api, database }: { api: Api; database: Database },
): Promise<void> {
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
