import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LaptopSearch } from './laptop-search.tsx';

test('the article’s React component lists its laptops, or shows that there are none', () => {
  expect(renderToStaticMarkup(<LaptopSearch laptops={['EliteBook', 'Swift 3']} />)).toContain(
    '<ul><li>EliteBook</li><li>Swift 3</li></ul>',
  );
  expect(renderToStaticMarkup(<LaptopSearch laptops={[]} />)).toContain('Nothing found');
});
