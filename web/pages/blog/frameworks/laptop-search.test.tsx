import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LaptopSearch } from './laptop-search.tsx';

test('the React component of the article lists what it is given, and says so when that is nothing', () => {
  expect(renderToStaticMarkup(<LaptopSearch laptops={['EliteBook', 'Swift 3']} />)).toContain(
    '<ul><li>EliteBook</li><li>Swift 3</li></ul>',
  );
  expect(renderToStaticMarkup(<LaptopSearch laptops={[]} />)).toContain('Nothing found');
});
