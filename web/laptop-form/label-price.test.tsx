import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LabelPrice } from './delivery-field.tsx';

const estimates = {
  ...{ hasLabels: true, sizes: [{ upTo: 14.5, price: 9.72 }], insurance: 1, leastInsurance: 1 },
  borneBy: 'seller',
} as const;
const render = (changes: Partial<Parameters<typeof LabelPrice>[0]['estimates']>) =>
  renderToStaticMarkup(<LabelPrice estimates={{ ...estimates, ...changes }} country="DE" />);

test('a seller reads the price of a label, or that it is not known before the purchase', () => {
  expect(render({})).toContain('You can buy the label here, for about $9.72 up to 14.5″');
  expect(render({ sizes: [] })).toContain(
    'There is no estimate for parcels within Germany: the price is shown when you buy the label.',
  );
  expect(render({ sizes: [], borneBy: 'shop' })).toContain(
    'The shop buys the cheapest label and pays for it.',
  );
  expect(render({ hasLabels: false, sizes: [] })).toBe('');
});
