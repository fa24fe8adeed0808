import { renderToStaticMarkup } from 'react-dom/server';
import { type Toast, useToaster } from 'react-hot-toast/headless';
import { expect, test, vi } from 'vitest';
import { ToastHost } from './toast.tsx';

// The library limits toasts to 20 by default. The mock has no limit, so the test covers the shop's own limit.
vi.mock('react-hot-toast/headless', async (original) => ({
  ...(await original<typeof import('react-hot-toast/headless')>()),
  useToaster: vi.fn(() => ({
    toasts: Array.from({ length: 25 }, (_, index) => entry(`Message ${25 - index}.`)),
    handlers: {},
  })),
}));

/** A toast of the library. */
function entry(message: string): Toast {
  return {
    id: message,
    type: 'error',
    message,
    pauseDuration: 0,
    ariaProps: { role: 'status', 'aria-live': 'polite' },
    createdAt: 0,
    visible: true,
    dismissed: false,
  };
}

test('shows at most 20 of 25 toasts, the latest ones', () => {
  const html = renderToStaticMarkup(<ToastHost />);
  const shown = [...html.matchAll(/Message \d+\./g)].map(([message]) => message);
  expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => `Message ${25 - index}.`));
});

test('an error lasts 4000 ms, a success 2000 ms', () => {
  renderToStaticMarkup(<ToastHost />);
  expect(useToaster).toHaveBeenCalledWith({ error: { duration: 4000 }, success: { duration: 2000 } });
});
