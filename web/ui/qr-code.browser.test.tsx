import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { QrCode } from './qr-code.tsx';

test.each(['light', 'dark'])(
  'a QR code is black on white in the %s theme, whatever the colours of the shop',
  async (theme) => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    for (const name of ['--on-primary', '--photo']) root.style.setProperty(name, 'white');
    onTestFinished(() => {
      delete root.dataset.theme;
      root.removeAttribute('style');
    });
    mount(<QrCode text="https://shop.example/c/1" label="The address" className="size-36" />);
    const code = page.getByRole('img', { name: 'The address' });
    await expect.element(code).toHaveStyle({ backgroundColor: 'white', color: 'black' });
  },
);
