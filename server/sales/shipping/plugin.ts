import type { FastifyInstance } from 'fastify';
import * as labelContract from '#contract/sales/labels.ts';
import * as contract from '#contract/sales/shipping.ts';
import type { PhotoDependencies } from '#server/listings/catalogue/steps.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import { createEstimates } from './estimates.ts';
import { followLabel, followLabels } from './follow-labels.ts';
import { listClaims } from './insurance-claim-store.ts';
import { recordClaimPayment, toClaim } from './insurance-claims.ts';
import { countUnprinted } from './label-store.ts';
import * as labels from './labels.ts';
import { listManifests, printManifest } from './manifests.ts';
import * as notifications from './notifications.ts';
import { addPackingPhotos } from './packing.ts';
import { printLabels } from './print-labels.ts';
import { buyLabel, voidLabel } from './purchases.ts';
import { quoteLabel, setReturnAddress } from './quotes.ts';
import { toLateParcel } from './rules.ts';
import { lateOrders } from './store.ts';
import { carrierWebhooks } from './webhooks.ts';

/** Routes for buyers, sellers and admins. The buyer chooses the delivery in bookings. */
function shippingRoutes(serve: Serve, options: actions.ShippingDependencies & PhotoDependencies): void {
  serve(contract.changeAddress, async ({ caller, params, body }) =>
    modified(await actions.changeAddress(options, caller, params._id, body)),
  );

  serve(contract.shipParcel, async ({ caller, params, body }) =>
    modified(await actions.shipParcel(options, caller, params._id, body)),
  );

  serve(contract.addPackingPhotos, async ({ caller, params, body }) =>
    modified(await addPackingPhotos(options, caller, params._id, body.photos)),
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
    const page = await lateOrders(options.database, pageRequest(call.query));
    return sendPage(call, page, toLateParcel);
  });
}

/** Routes for labels that the shop buys. */
function labelRoutes(serve: Serve, options: labels.LabelDependencies): void {
  const estimate = createEstimates(options.carriers, options.shop);
  serve(labelContract.readShippingEstimates, ({ query }) => estimate(query.country));
  serve(labelContract.listOrderLabels, ({ caller, params }) =>
    labels.listOrderLabels(options, caller, params._id),
  );
  serve(labelContract.quoteLabel, ({ caller, params, body }) =>
    quoteLabel(options, caller, params._id, body.sender),
  );
  serve(labelContract.setReturnAddress, async ({ caller, params, body }) => {
    await setReturnAddress(options, caller, params._id, body.sender);
    return modified(true);
  });
  serve(labelContract.buyLabel, async ({ caller, params, body }) =>
    modified(await buyLabel(options, caller, params._id, body)),
  );
  serve(labelContract.voidLabel, async ({ caller, params }) =>
    modified(await voidLabel(options, caller, params._id)),
  );
  serve(labelContract.printLabels, ({ caller, body }) => printLabels(options, caller, body));
  serve(labelContract.readPrintableLabels, async ({ caller }) => ({
    unprinted: await countUnprinted(options.database, caller.userId),
    manifests: await listManifests(options, caller.userId, new Date()),
  }));
  serve(labelContract.printManifest, ({ caller, body }) =>
    printManifest(options, caller, body.labels, new Date()),
  );
  serve(labelContract.listClaims, async () => (await listClaims(options.database)).map(toClaim));
  serve(labelContract.recordClaimPayment, async ({ caller, params, body }) => {
    await recordClaimPayment(options, caller, params._id, body);
    return modified(true);
  });
}

type ShippingOptions = Context & PhotoDependencies & labels.LabelDependencies & NotificationDependencies;

/** Parcels: routes, deadlines, reminders, the end of addresses. */
export async function shippingPlugin(app: FastifyInstance, options: ShippingOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => {
    shippingRoutes(serve, options);
    labelRoutes(serve, options);
  });
  const { carriers } = options;
  if (carriers !== null) await app.register(carrierWebhooks, { ...options, carriers });
  work.handle(labels.labelChanged, ({ labelId }) => followLabel(options, labelId));
  work.every(10_000, 'the carrier could not be asked about some labels', (signal) =>
    followLabels(options, new Date(), signal),
  );
  for (const each of notifications.all) each.sendIn(work, options);
  work.every(10_000, 'parcels could not be moved after their deadlines or reminded of', () =>
    actions.applyParcelDeadlines(options, new Date()),
  );
}
