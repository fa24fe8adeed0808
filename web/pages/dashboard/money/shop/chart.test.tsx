import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MoneyChart } from './chart.tsx';

const month = (name: string) => ({
  month: name,
  salesCents: 54_999,
  refundsCents: 0,
  paidOutCents: 0,
  commissionCents: 0,
  feesCents: 190,
});

test('the chart is drawn from three months on', () => {
  const months = ['2026-11', '2026-10', '2026-09'].map(month);
  expect(renderToStaticMarkup(<MoneyChart months={months} />)).toContain('<svg');
  expect(renderToStaticMarkup(<MoneyChart months={months.slice(0, 2)} />)).toBe('');
});
