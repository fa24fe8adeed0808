import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Label } from '#contract/sales/labels.ts';
import { isPrintable, OtherLabels, pollWhileBuying, presentLabel } from './labels.tsx';

const unbought: Label = {
  _id: '00000000-0000-4000-8000-000000000001',
  way: 'back',
  isOwn: false,
  state: 'voided',
  insured: 549.99,
  borneBy: 'seller',
  tracking: 'unknown',
  trackedAt: null,
  problem: '',
};
const label: Label = {
  ...unbought,
  state: 'bought',
  carrier: 'UPS',
  service: 'Ground',
  trackingNumber: '1Z999',
};

const labels = (...shown: Label[]) => ({
  ...{ offered: null, takesReturnAddress: false, borneBy: 'seller' as const, sender: null, labels: shown },
});

const render = (shown: Label) => renderToStaticMarkup(<OtherLabels labels={[shown]} />);

test('the label of the other person is shown, and is not the one to print', () => {
  expect(presentLabel(labels(label))).toBeUndefined();
  const own = { ...label, isOwn: true };
  expect(presentLabel(labels(own))).toBe(own);
  expect([isPrintable(label), isPrintable(own)]).toEqual([false, true]);
  expect(render(label)).toContain(
    'The return label of UPS 1Z999 is bought, and the carrier does not have the parcel yet.',
  );
});

test('the labels of an order are read again while one is bought, and not any longer', () => {
  const buying = { ...unbought, state: 'buying' as const };
  expect(pollWhileBuying(labels(label, buying))).toBe(3_000);
  expect(pollWhileBuying(labels(label, unbought))).toBe(false);
  expect(pollWhileBuying(undefined)).toBe(false);
});

test('a label that was given back before it was bought has no carrier in its sentence', () => {
  expect(render(unbought)).toContain('The return label was given back.');
  expect(render({ ...unbought, way: 'out' })).toContain('The label was given back.');
});
