import * as z from 'zod/mini';
import {
  deleteBuyer,
  deleteOwnAccount,
  deleteSeller,
  readOwnData,
  verifySeller,
} from '#contract/accounts.ts';
import * as contract from '#contract/moderation.ts';
import { shownPhoto } from '../catalogue/rules.ts';
import { encodeCursor, keyedPageRequest, pageRequest, sendPage } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import * as ownAccount from './own-account.ts';
import { auditOnTheWire, reportedOnTheWire } from './rules.ts';
import * as store from './store.ts';

/** The place of a reported laptop in the list, as a cursor carries it. */
const ReportedKey = z.object({ hasOpen: z.boolean(), latest: z.string().check(z.regex(/^\d{1,18}$/)) });

/** Reports, everything that only admins do, and the end of an account by its person's own wish. */
export function moderationRoutes(
  serve: Serve,
  dependencies: actions.ModerationDependencies & { origin: string },
): void {
  const { database, origin } = dependencies;
  const shown = (photo: string) => shownPhoto(photo, origin);

  serve(verifySeller, async ({ caller, params }) => ({
    acknowledged: true,
    modifiedCount: await actions.verify(dependencies, caller, params.email),
  }));

  serve(deleteSeller, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Seller' }),
  }));

  serve(deleteBuyer, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Buyer' }),
  }));

  serve(readOwnData, ({ caller }) => ownAccount.readOwnData(dependencies, caller, shown));

  serve(deleteOwnAccount, async ({ caller, query }) => ({
    acknowledged: true,
    deletedCount: 1,
    kept: await ownAccount.deleteOwnAccount(dependencies, caller, query.email),
  }));

  serve.once(contract.reportLaptop, ({ caller, body }, transact) =>
    transact(async (transaction) => {
      const answer = await actions.report(transaction, caller, body);
      return 'objection' in answer
        ? { acknowledged: false, message: answer.objection }
        : {
            acknowledged: true,
            message: `Thank you. An admin will look at ${answer.name}.`,
            insertedId: answer.insertedId,
          };
    }),
  );

  serve(contract.listReportedItems, async (call) => {
    const page = await store.reportedLaptops(
      database,
      keyedPageRequest(call.query, ReportedKey),
      encodeCursor,
    );
    const ids = page.rows.map(({ id }) => id);
    const [reports, history] = await Promise.all([
      store.reportsOf(database, ids),
      store.historyOf(database, ids),
    ]);
    return sendPage(call, page, (laptop) =>
      reportedOnTheWire(
        laptop,
        reports.filter((report) => report.laptop_id === laptop.id),
        history.filter((entry) => entry.laptop_id === laptop.id),
        shown,
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

  serve(contract.listAuditTrail, async (call) =>
    sendPage(call, await store.auditTrail(database, pageRequest(call.query)), auditOnTheWire),
  );
}
