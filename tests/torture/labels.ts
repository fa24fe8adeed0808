import { listLaptop } from '#contract/listings/catalogue.ts';
import { book, readBooking } from '#contract/sales/bookings.ts';
import { buyLabel, type Label, listOrderLabels, quoteLabel } from '#contract/sales/labels.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import type { Shipment, Status } from '#sandbox/carriers/shipments.ts';
import { sampleSender } from '#tests/harness/sales/carriers.ts';
import { sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import { type Caller, chargeCard, GOOD_CARD, laptopWith, price, register, uploadPicture } from './callers.ts';
import { assert, type FaultContext, waitForRecovery } from './faults.ts';
import { RECOVERY_TIMEOUT_MS } from './kills.ts';
import { retryUntil } from './processes.ts';
import type { TortureShop } from './shop.ts';

/** Sells a laptop that is sent by parcel. */
async function sellByParcel(shop: TortureShop): Promise<{ seller: Caller; orderId: string }> {
  const [seller, buyer] = [await register(shop, 'Seller'), await register(shop, 'Buyer')];
  const laptop = { ...laptopWith(await uploadPicture(seller, shop.origin)), delivery: 'ship' as const };
  const { insertedId: productCode } = await seller.client.call(listLaptop, { body: laptop });
  const delivery = { delivery: 'ship' as const, address: sampleAddress };
  const { insertedId: bookingId = '' } = await buyer.client.call(book, {
    body: { price, phone: '+351 900 000 000', productCode, ...delivery },
  });
  const { clientSecret } = await buyer.client.call(createPaymentIntent, { body: { price, bookingId } });
  await chargeCard(shop, clientSecret, GOOD_CARD);
  const [transactionId = ''] = clientSecret.split('_secret_');
  await buyer.client.call(recordPayment, { body: { price, bookingId, transactionId } });
  const { order } = await buyer.client.call(readBooking, { params: { _id: bookingId } });
  return { seller, orderId: order?._id ?? '' };
}

/** Posts to the control page of the carriers. */
const control = ({ carriers }: TortureShop, path: string, body: object = {}): Promise<Response> =>
  fetch(new URL(`/control/${path}`, carriers.apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The parcels of an order whose label was bought. */
async function boughtParcels({ carriers }: TortureShop, orderId: string): Promise<Shipment[]> {
  const shipments: Shipment[] = await (await fetch(new URL('/shipments.json', carriers.apiUrl))).json();
  return shipments.filter(({ reference, postage_label }) => reference === orderId && postage_label !== null);
}

/**
 * Kills the server after a carrier has sold a label and before the shop has recorded it; before the carrier reports of the parcel; and
 * after the shop has taken such an event and before it has moved the order.
 */
export async function testKillsAroundLabels(context: FaultContext): Promise<void> {
  const { shop, audit } = context;
  const { seller, orderId } = await sellByParcel(shop);
  // The shop buys labels for sellers whom it knows.
  await audit.pool.query('update users set verified = true where email = $1', [seller.email]);
  const params = { _id: orderId };
  const labels = async (): Promise<Label[]> => (await seller.client.call(listOrderLabels, { params })).labels;
  const restart = async (isRecovered: () => Promise<boolean>, fault: string) => {
    await shop.server.start();
    // Ends the time after which the shop asks about a label itself: the carrier repeats its event for half a minute only.
    await audit.pool.query('update labels set next_check_at = now() where next_check_at > now()');
    assert(await retryUntil(isRecovered, 2 * RECOVERY_TIMEOUT_MS), `${fault}: not recovered.`);
    await waitForRecovery(context, fault, RECOVERY_TIMEOUT_MS);
  };
  const isState = (state: string) => async () =>
    (await seller.client.call(readOrder, { params })).state === state;

  await control(shop, 'faults', { fault: 'silent' });
  const { _id, rates } = await seller.client.call(quoteLabel, { params, body: { sender: sampleSender } });
  const [rate = { _id: '', price: 0 }] = rates;
  await seller.client.call(buyLabel, { params: { _id }, body: { rate: rate._id, price: rate.price } });
  const isBought = async () => (await boughtParcels(shop, orderId)).length > 0;
  assert(await retryUntil(isBought, RECOVERY_TIMEOUT_MS), 'The carrier sold no label.');
  assert((await labels())[0]?.state === 'buying', 'The shop has recorded the label before the answer.');
  await shop.server.kill();
  await restart(async () => (await labels())[0]?.state === 'bought', 'Killed between label and record');
  const [parcel, ...others] = await boughtParcels(shop, orderId);
  assert(others.length === 0 && (await labels()).length === 1, 'A label was bought twice.');

  const report = (status: Status) => control(shop, `shipments/${parcel?.id}/${status}`);
  await shop.server.kill();
  await report('in_transit');
  await restart(isState('shipped'), 'Killed between record and event');
  await report('delivered');
  await shop.server.kill();
  await restart(isState('delivered'), 'Killed after an event');
}
