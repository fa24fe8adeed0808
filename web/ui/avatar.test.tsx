import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

test('renders the picture of photoURL with the user’s name', () => {
  const html = renderToStaticMarkup(<Avatar name="Ada" photoUrl="https://faces.example/ada.webp" />);
  expect(html).toContain('<img src="https://faces.example/ada.webp" alt="Ada"');
});

test('renders the default icon without a photoURL', () => {
  const html = renderToStaticMarkup(<Avatar name="Ada" photoUrl={null} />);
  expect(html).toContain('aria-label="Ada"');
  expect(html).toContain('<svg');
  expect(html).not.toContain('<img');
});
