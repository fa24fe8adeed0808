import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { next } from './payment.ts';
import { read, subscribe, useWished, wish } from './wished.ts';

const Wished = () => useWished().join(', ');

test('the article’s payment reducer allows only valid transitions', () => {
  const paying = next({ step: 'ready' }, { type: 'submitted' });
  expect(paying).toEqual({ step: 'paying' });
  expect(next(paying, { type: 'submitted' })).toBe(paying);
  const refused = next(paying, { type: 'refused', reason: 'Declined' });
  expect(refused).toEqual({ step: 'refused', reason: 'Declined' });
  expect(next(refused, { type: 'submitted' })).toEqual({ step: 'paying' });
  const paid = next(paying, { type: 'confirmed', receipt: 'pi_1' });
  expect(next(paid, { type: 'refused', reason: 'Late' })).toBe(paid);
});

test('the article’s store notifies its listeners once per laptop', () => {
  const before = read();
  let told = 0;
  const stop = subscribe(() => {
    told += 1;
  });
  wish('EliteBook');
  wish('EliteBook');
  stop();
  wish('Swift 3');
  expect(told).toBe(1);
  expect(before).toEqual([]);
  expect(read()).toEqual(['EliteBook', 'Swift 3']);
});

test('the article’s store is empty on the server', () => {
  wish('XPS 13');
  expect(renderToStaticMarkup(createElement(Wished))).toBe('');
});
