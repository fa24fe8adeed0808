import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/sales/shipping.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import * as actions from './actions.ts';
import * as notifications from './notifications.ts';
import { toLateParcel } from './rules.ts';

const modified = (isNew: boolean) => ({ acknowledged: true, modifiedCount: isNew ? 1 : 0 });

/** Routes for buyers, sellers and admins. The buyer chooses the delivery in bookings. */
function shippingRoutes(serve: Serve, options: actions.ShippingDependencies): void {
  serve(contract.changeAddress, async ({ caller, params, body }) =>
    modified(await actions.changeAddress(options, caller, params._id, body)),
  );

  serve(contract.shipParcel, async ({ caller, params, body }) =>
    modified(await actions.shipParcel(options, caller, params._id, body)),
  );

  serve(contract.receiveParcel, async ({ caller, params }) =>
    modified(await actions.receiveParcel(options, caller, params._id)),
  );

  serve(contract.reportParcel, async ({ caller, params, body }) =>
    modified(await actions.reportParcel(options, caller, params._id, body)),
  );

  serve(contract.decideDelivered, async ({ caller, params, body }) =>
    modified(await actions.decideDelivered(options, caller, params._id, body.text)),
  );

  serve(contract.listLateParcels, async (call) => {
    const page = await actions.listLateParcels(options.database, pageRequest(call.query), new Date());
    return sendPage(call, page, toLateParcel);
  });
}

export interface ShippingOptions
  extends actions.ShippingDependencies,
    notifications.NotificationDependencies {
  api: Api;
  work: Work;
  /** How often the shop looks for orders whose deadline has passed, in milliseconds. */
  orderClockIntervalMs: number;
}

/** Parcels: routes, clocks, reminders, the end of addresses. */
export async function shippingPlugin(app: FastifyInstance, options: ShippingOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => shippingRoutes(serve, options));
  work.handle(notifications.parcelIsLate, (data, jobId) =>
    notifications.notifyParcelLate(options, data, jobId),
  );
  work.handle(notifications.addressChanged, (data, jobId) =>
    notifications.notifyAddressChanged(options, data, jobId),
  );
  work.every(
    options.orderClockIntervalMs,
    () => actions.runParcelClocks(options, new Date()),
    (error) =>
      app.log.error({ err: error }, 'parcels could not be moved after their deadlines or reminded of'),
  );
}
