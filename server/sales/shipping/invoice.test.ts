import { expect, test } from 'vitest';
import { InvoiceFileError, parseInvoice } from './invoice.ts';

const header = 'id,tracking_code,created_at,label_fee,postage_fee,insurance_fee,refund_status';

test('a report is read with its sums, whatever the order of its columns', () => {
  expect(parseInvoice(`${header}\r\nshp_1,1Z 9,"2026-11-27, noon",0.05,10.98,5.50,\r\n`)).toEqual([
    { shipmentId: 'shp_1', trackingNumber: '1Z9', amountCents: 1_653, isRefunded: false },
  ]);
  const turned = 'refund_status,insurance_fee,postage_fee,label_fee,tracking_code,id\nrefunded,,7,0,94,shp_2';
  expect(parseInvoice(turned)).toEqual([
    { shipmentId: 'shp_2', trackingNumber: '94', amountCents: 700, isRefunded: true },
  ]);
});

test('fees with five decimals are rounded up to a cent each, as in a purchase', () => {
  const [line] = parseInvoice(`${header}\nshp_1,1Z9,now,0.05000,10.98001,5.49950,`);
  expect(line?.amountCents).toBe(5 + 1_099 + 550);
});

test('another file is refused with what it lacks', () => {
  expect(() => parseInvoice('Seller,Due\nSam,1')).toThrow(InvoiceFileError);
  expect(() => parseInvoice('id,tracking_code,label_fee,postage_fee,refund_status\n')).toThrow(
    'insurance_fee',
  );
  expect(() => parseInvoice(`${header}\nshp_1,1Z,now,0,-3,0,`)).toThrow('Line 2');
  expect(() => parseInvoice(`\n${header}\n\nshp_1,1Z,now,0,-3,0,`)).toThrow('Line 4');
});
