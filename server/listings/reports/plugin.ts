import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/listings/reports.ts';
import { latestAuditOfLaptops } from '#server/people/audit/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { encodeCursor, keyedPageRequest, sendPage } from '#server/platform/http/paging.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { toPhotoUrl } from '../catalogue/rules.ts';
import type { ReportDependencies } from './actions.ts';
import * as actions from './actions.ts';
import { reportResolved, takenDown } from './notifications.ts';
import { ReportedKey, toResponse } from './rules.ts';
import * as store from './store.ts';

/** The maximum number of reports, and of audit entries, that the list of reported laptops shows per laptop. */
const MAXIMUM_PER_LAPTOP = 20;

/** Routes for filing reports, and for admins who resolve them. */
function reportRoutes(serve: Serve, dependencies: actions.ReportDependencies & { origin: string }): void {
  const { database, origin } = dependencies;
  const photoUrl = (photo: string) => toPhotoUrl(photo, origin);

  serve.idempotent(contract.reportLaptop, ({ caller, body }, transact) =>
    transact(async (transaction) => {
      const result = await actions.fileReport(transaction, caller, body);
      return 'refusal' in result
        ? { acknowledged: false, message: result.refusal }
        : {
            acknowledged: true,
            message: `Thank you. An admin will look at ${result.name}.`,
            insertedId: result.insertedId,
          };
    }),
  );

  serve(contract.listReportedItems, async (call) => {
    const page = await store.listReportedLaptops(
      database,
      call.query.laptop,
      keyedPageRequest(call.query, ReportedKey),
      encodeCursor,
    );
    const ids = page.rows.map(({ id }) => id);
    const [reports, history] = await Promise.all([
      store.latestReportsOfLaptops(database, ids, MAXIMUM_PER_LAPTOP),
      latestAuditOfLaptops(database, ids, MAXIMUM_PER_LAPTOP),
    ]);
    return sendPage(call, page, (laptop) =>
      toResponse(
        laptop,
        reports.filter((report) => report.laptop_id === laptop.id),
        history.filter((entry) => entry.laptop_id === laptop.id),
        photoUrl,
      ),
    );
  });

  serve(contract.dismissReports, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: await actions.dismiss(dependencies, caller, {
      laptopId: params._id,
      note: body.note ?? '',
    }),
  }));

  serve(contract.takeDownLaptop, async ({ caller, params, body }) => ({
    acknowledged: true,
    modifiedCount: await actions.takeDown(dependencies, caller, { laptopId: params._id, note: body.note }),
  }));
}

type ReportsOptions = Context & ReportDependencies & NotificationDependencies;

/** Reports of laptops and take-downs. */
export async function reportsPlugin(app: FastifyInstance, options: ReportsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => reportRoutes(serve, options));
  for (const each of [reportResolved, takenDown]) each.sendIn(work, options);
}
