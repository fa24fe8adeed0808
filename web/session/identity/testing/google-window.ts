import { vi } from 'vitest';

interface FakePopup {
  closed: boolean;
  close(): void;
  focus(): void;
}

/** Replaces the page's window by one that records the windows that it opens. @param isBlocked refuses to open them */
export function stubWindow(isBlocked = false) {
  const listeners = new Set<(message: { origin: string; data: unknown }) => void>();
  const opened: { url: URL; features: string; popup: FakePopup }[] = [];
  vi.stubGlobal('window', {
    location: { origin: 'https://shop.example' },
    screenX: 100,
    screenY: 50,
    outerWidth: 1500,
    outerHeight: 1000,
    open(url: string, _target: string, features: string) {
      if (isBlocked) return null;
      const popup: FakePopup = {
        closed: false,
        close() {
          popup.closed = true;
        },
        focus() {},
      };
      opened.push({ url: new URL(url), features, popup });
      return popup;
    },
    addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
  });
  return {
    opened,
    /** The nonce of the window that was opened last. */
    nonce: () => opened.at(-1)?.url.searchParams.get('nonce'),
    /** Posts a message to the page, as a window of that origin would. */
    post(origin: string, data: unknown) {
      for (const listener of [...listeners]) listener({ origin, data });
    },
    listening: () => listeners.size,
  };
}
