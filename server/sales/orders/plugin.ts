import type { FastifyInstance } from 'fastify';
import { createSameLaptopCode } from '#contract/certification/same-laptop.ts';
import * as contract from '#contract/sales/orders.ts';
import { codeResponse, readScripts, type ServedScript } from '#server/certification/inspections/steps.ts';
import { toPhotoUrl } from '#server/listings/catalogue/rules.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import { buyerOfOrderEnded, orderMoved, sellerEnded } from './notifications.ts';
import { listOrders, toOrderItem } from './order-list.ts';

/** Routes for the buyer and the seller of an order. */
function orderRoutes(serve: Serve, scripts: readonly ServedScript[], options: OrdersOptions): void {
  const photoUrl = (photo: string) => toPhotoUrl(photo, options.origin);

  serve(contract.listOrders, async (call) => {
    const page = await listOrders(options.database, call.query.search, pageRequest(call.query));
    return sendPage(call, page, (order) => toOrderItem(order, photoUrl));
  });

  serve(contract.readOrder, ({ caller, params }) => actions.readOrder(options, caller, params._id, photoUrl));

  serve(contract.readSoldLaptop, ({ caller, params }) =>
    actions.readSoldLaptop(options, caller, params._id, photoUrl),
  );

  serve(createSameLaptopCode, async ({ caller, params }) =>
    codeResponse(await actions.createLaptopCode(options, caller, params._id), scripts, options.origin),
  );

  serve(contract.handOver, async ({ caller, params, body }) =>
    modified(await actions.handOver(options, caller, { id: params._id, code: body.code })),
  );

  serve(contract.confirmOrder, async ({ caller, params }) =>
    modified(await actions.confirm(options, caller, params._id)),
  );
}

type OrdersOptions = Context & NotificationDependencies;

/** Orders: routes, hand-over, deadlines, emails about each move. */
export async function ordersPlugin(app: FastifyInstance, options: OrdersOptions): Promise<void> {
  const { api, work } = options;
  const scripts = await readScripts();
  await registerCalls(app, api, (serve) => orderRoutes(serve, scripts, options));
  orderMoved.sendIn(work, options);
  sellerEnded.sendIn(work, options);
  buyerOfOrderEnded.sendIn(work, options);
  work.every(10_000, 'orders could not be moved after their deadlines', () =>
    actions.moveOverdueOrders(options, new Date()),
  );
}
