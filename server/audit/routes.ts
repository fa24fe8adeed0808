import * as contract from '#contract/audit.ts';
import type { Database } from '../database/tables.ts';
import { pageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import { toResponse } from './rules.ts';
import * as store from './store.ts';

/** Routes of the audit trail. */
export function auditRoutes(serve: Serve, { database }: { database: Database }): void {
  serve(contract.listAuditTrail, async (call) =>
    sendPage(call, await store.list(database, pageRequest(call.query)), toResponse),
  );
}
