import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test('an avatar is the picture of photoURL, named after its person', () => {
  const html = renderToStaticMarkup(<Avatar name="Ada" photoUrl="https://faces.example/ada.webp" />);
  expect(html).toContain('<img src="https://faces.example/ada.webp" alt="Ada"');
});

test('without a photoURL it is the default icon', () => {
  const html = renderToStaticMarkup(<Avatar name="Ada" photoUrl={null} />);
  expect(html).toContain('aria-label="Ada"');
  expect(html).toContain('<svg');
  expect(html).not.toContain('<img');
});
