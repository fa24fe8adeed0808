import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { ToastHost, toast } from './toast.tsx';

afterEach(() => toast.removeAll());

test('at most twenty messages stand at once, the latest of them', () => {
  for (let number = 1; number <= 25; number += 1) toast.error(`Message ${number}.`);
  const html = renderToStaticMarkup(<ToastHost />);
  expect(html.match(/Message \d+\./g)).toHaveLength(20);
  expect(html).toContain('Message 25.');
  expect(html).not.toContain('Message 5.');
});
