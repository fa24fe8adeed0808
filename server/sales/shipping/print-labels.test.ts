// Labels as documents: what is printed, and what the carrier bills.

import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { printLabels, readPrintableLabels, voidLabel } from '#contract/sales/labels.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import { type Carriers, CarriersUnavailable } from './carriers.ts';
import { invoiceDifferences, parseInvoice, recordCarrierPayment } from './invoice.ts';
import { joinLabels } from './print.ts';
import { printLabels as printOwn } from './print-labels.ts';

const labelShop = setUpLabelShop();
const { sell, buy, shipmentOf, report, waitForJobs, dependencies } = labelShop;

test.each([
  ['4x6', 3, 288, 432],
  ['A4', 2, 595, 842],
] as const)('three labels on %s are %i sheets of its size', async (paper, sheets, width, height) => {
  const label = await PDFDocument.create();
  label.addPage([288, 432]).drawRectangle({ width: 10, height: 10 });
  const file = await label.save();
  const pages = (await PDFDocument.load(await joinLabels([file, file, file], paper))).getPages();
  const sizes = pages.map((page) => [Math.round(page.getWidth()), Math.round(page.getHeight())]);
  expect(sizes).toEqual(Array.from({ length: sheets }, () => [width, height]));
});

test('several labels are printed together, two on a sheet of A4', { tags: 'long' }, async () => {
  const seller = await labelShop.shop.seller();
  const sales = [await sell({ seller }), await sell({ seller }), await sell({ seller })];
  for (const sale of sales) await buy(sale);
  const { labels: printed, pdf } = await seller.client.call(printLabels, { body: { paper: 'A4' } });
  expect(printed).toBe(3);
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(2);
  expect(await refusalOf(seller.client.call(printLabels, { body: { paper: 'A4' } }))).toMatchObject({
    code: 'label_refused',
  });
});

test('labels that the carrier does not give out stay bought and unprinted, and that is said', async () => {
  const sale = await sell();
  await buy(sale);
  const carriers: Carriers = {
    ...labelShop.fake.carriers,
    label: () => Promise.reject(new CarriersUnavailable('It does not answer.')),
  };
  const { rows } = await labelShop.shop.connection.pool.query<{ seller_id: string }>(
    'select seller_id from orders where id = $1',
    [sale.orderId],
  );
  const printed = printOwn(
    { ...dependencies(), carriers },
    { userId: rows[0]?.seller_id ?? '' },
    { paper: 'A4' },
  );
  await expect(printed).rejects.toThrow('They stay bought, and none counts as printed');
  expect(await sale.seller.client.call(readPrintableLabels, {})).toMatchObject({ unprinted: 1 });
});

test('the carrier’s report agrees with the labels, and each difference is said', async () => {
  const { database } = labelShop.shop.connection;
  const [sale, givenBack] = [await sell(), await sell()];
  await buy(sale);
  await givenBack.seller.client.call(voidLabel, { params: { _id: await buy(givenBack) } });
  await waitForJobs();
  await report(givenBack, 'refunded');
  const ids = [(await shipmentOf(sale)).id, (await shipmentOf(givenBack)).id];
  const lines = parseInvoice(await labelShop.fake.invoice()).filter(({ shipmentId }) =>
    ids.includes(shipmentId),
  );
  expect(lines).toHaveLength(2);
  expect(await invoiceDifferences(database, lines)).toEqual([]);
  const line = lines.find(({ shipmentId }) => shipmentId === ids[0]);
  if (line === undefined) throw new Error('The report lacks the label.');
  const changed = { ...line, amountCents: 1_700, isRefunded: true, trackingNumber: '1Z0' };
  expect(await invoiceDifferences(database, [changed])).toHaveLength(3);
  expect(await invoiceDifferences(database, [{ ...line, shipmentId: 'shp_elsewhere' }])).toEqual([
    expect.stringContaining('is no label that this shop bought'),
  ]);
  const payment = { reference: 'INV-1', amountCents: 1_648, isAhead: false };
  expect(await recordCarrierPayment(database, payment)).toBe(true);
  expect(await recordCarrierPayment(database, payment)).toBe(false);
});
