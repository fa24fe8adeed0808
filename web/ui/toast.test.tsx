import { renderToStaticMarkup } from 'react-dom/server';
import { type Toast, useToaster } from 'react-hot-toast/headless';
import { expect, test, vi } from 'vitest';
import { ToastHost } from './toast.tsx';

// The library would hold back what is above twenty by itself. Here it holds back nothing, so that what is tested is
// the shop's own limit, which stays when the library's default changes.
vi.mock('react-hot-toast/headless', async (original) => ({
  ...(await original<typeof import('react-hot-toast/headless')>()),
  useToaster: vi.fn(() => ({
    toasts: Array.from({ length: 25 }, (_, index) => entry(`Message ${25 - index}.`)),
    handlers: {},
  })),
}));

/** A message as the library keeps it. */
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

test('of 25 messages at most 20 stand at once, the latest of them', () => {
  const html = renderToStaticMarkup(<ToastHost />);
  const shown = [...html.matchAll(/Message \d+\./g)].map(([message]) => message);
  expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => `Message ${25 - index}.`));
});

test('an error is asked to stay 4000 ms, a success 2000 ms', () => {
  renderToStaticMarkup(<ToastHost />);
  expect(useToaster).toHaveBeenCalledWith({ error: { duration: 4000 }, success: { duration: 2000 } });
});
