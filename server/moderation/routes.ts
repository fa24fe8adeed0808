import {
  deleteBuyer,
  deleteOwnAccount,
  deleteSeller,
  readOwnData,
  verifySeller,
} from '#contract/accounts.ts';
import * as contract from '#contract/moderation.ts';
import { shownPhoto } from '../catalogue/rules.ts';
import { linkNext, offsetOf, sliceOf } from '../http/paging.ts';
import type { Serve } from '../http/serve.ts';
import * as actions from './actions.ts';
import * as ownAccount from './own-account.ts';
import { auditOnTheWire, reportedOnTheWire } from './rules.ts';
import * as store from './store.ts';

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

  serve(deleteSeller, async ({ caller, params }) => {
    await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Seller' });
    return { acknowledged: true, deletedCount: 1 };
  });

  serve(deleteBuyer, async ({ caller, params }) => {
    await actions.deleteAccount(dependencies, caller, { id: params._id, role: 'Buyer' });
    return { acknowledged: true, deletedCount: 1 };
  });

  serve(readOwnData, ({ caller }) => ownAccount.readOwnData(dependencies, caller, shown));

  serve(deleteOwnAccount, async ({ caller, query }) => ({
    acknowledged: true,
    deletedCount: 1,
    kept: await ownAccount.deleteOwnAccount(dependencies, caller, query.email),
  }));

  serve(contract.reportLaptop, async ({ caller, body }) => {
    const answer = await actions.report(dependencies, caller, body);
    return 'objection' in answer
      ? { acknowledged: false, message: answer.objection }
      : {
          acknowledged: true,
          message: `Thank you. An admin will look at ${answer.name}.`,
          insertedId: answer.insertedId,
        };
  });

  serve(contract.listReportedItems, async ({ query, request, reply }) => {
    const { limit, offset } = offsetOf(query);
    const laptops = await store.reportedLaptops(database, limit + 1, offset);
    const page = laptops.slice(0, limit);
    linkNext(request, reply, laptops.length > limit ? String(offset + limit) : null);
    const ids = page.map(({ id }) => id);
    const [reports, history] = await Promise.all([
      store.reportsOf(database, ids),
      store.historyOf(database, ids),
    ]);
    return page.map((laptop) =>
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

  serve(contract.listAuditTrail, async ({ query, request, reply }) => {
    const { rows, next } = await store.auditTrail(database, sliceOf(query));
    linkNext(request, reply, next);
    return rows.map(auditOnTheWire);
  });
}
