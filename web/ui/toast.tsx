import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Icon } from './icon.tsx';
import { useOnline } from './online-status.tsx';
import { moveFocusTo } from './route-announcer.tsx';
import { createToastStore, type Toast } from './toast-store.ts';

/** The toasts of the page. A store of its own, because every visitor loads it: the usual library is five times larger. */
export const toast = createToastStore();

/** Says that what was asked for needs the connection. */
export const toastOffline = () => toast.error('You are offline. Please try that again once you are back.');

const none: readonly Toast[] = [];

/** Each type has a live region. An error interrupts what a screen reader is saying. */
const politeness = { error: 'assertive', success: 'polite' } as const;
const types = ['error', 'success'] as const;

/**
 * Pauses the toasts while one is hovered or focused, and while nobody sees the tab. Removing a focused toast fires no blur event, so both states are
 * checked again after each removal.
 * @returns the event handlers of the host
 */
function usePause(host: RefObject<HTMLElement | null>, count: number) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [hidden, setHidden] = useState(false);
  const paused = hovered || focused || hidden;
  useEffect(() => toast.pause(paused), [paused]);
  useEffect(() => {
    const update = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a toast appears or disappears
  useEffect(() => {
    if (host.current?.matches(':hover') !== true) setHovered(false);
    if (host.current?.matches(':focus-within') !== true) setFocused(false);
  }, [count]);

  return {
    // Touch fires no pointerleave after a tap, so only a mouse pauses.
    onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType === 'mouse'),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: ({ relatedTarget }: FocusEvent) => setFocused(host.current?.contains(relatedTarget) === true),
  };
}

/** Keeps the toasts above dialogs and popovers: of the browser's top layer, the element that entered last covers the others. */
function useTopLayer(host: RefObject<HTMLElement | null>, toasts: readonly Toast[]) {
  useEffect(() => {
    if (toasts.length === 0) return;
    const raise = (event?: Event) => {
      const { current } = host;
      if (event?.target === current) return;
      current?.hidePopover();
      current?.showPopover();
    };
    raise();
    // Another popover has opened. The event does not bubble.
    document.addEventListener('toggle', raise, true);
    return () => document.removeEventListener('toggle', raise, true);
  }, [host, toasts]);
}

/**
 * Shows toasts: errors for 4 s, successes for 2 s, paused while hovered, focused or in a hidden tab, at most 20 at once.
 *
 * Each type has a live region, which exists from the start: screen readers announce what is added to it. The popover is always
 * displayed, in the top layer or not, so that the regions never are new.
 */
export function ToastHost() {
  const host = useRef<HTMLElement>(null);
  /** The element that was focused before a toast. */
  const focusedBefore = useRef<EventTarget | null>(null);
  const toasts = useSyncExternalStore(toast.subscribe, toast.read, () => none);
  const { onFocus, ...pause } = usePause(host, toasts.length);
  const online = useOnline();
  useTopLayer(host, toasts);

  /** Moves the focus to another toast, or to the element focused before, when the focused toast is dismissed. */
  function moveFocus(from: HTMLButtonElement) {
    if (document.activeElement !== from) return;
    const buttons = [...(host.current?.querySelectorAll('button') ?? [])];
    const index = buttons.indexOf(from);
    const next = buttons[index + 1] ?? buttons[index - 1] ?? focusedBefore.current;
    if (next instanceof HTMLElement && next.isConnected) next.focus();
    else moveFocusTo('');
  }

  return (
    <section
      ref={host}
      popover="manual"
      aria-label="Messages"
      {...pause}
      onFocus={({ relatedTarget }) => {
        if (host.current?.contains(relatedTarget) !== true) focusedBefore.current = relatedTarget;
        onFocus();
      }}
      // Below the navbar, which is higher while it shows the offline bar.
      className={`toasts ${online ? 'top-20 max-lg:top-32' : 'top-34 max-lg:top-46'}`}
    >
      {/* Base UI hides everything outside an open dialog from screen readers, except elements with aria-live. */}
      {types.map((type) => (
        <div key={type} aria-live={politeness[type]}>
          {toasts
            .filter((entry) => entry.type === type)
            .map((entry) => (
              <ToastCard
                key={entry.id}
                entry={entry}
                onDismiss={(button) => {
                  moveFocus(button);
                  toast.remove(entry.id);
                }}
              />
            ))}
        </div>
      ))}
    </section>
  );
}

interface ToastCardProps {
  entry: Toast;
  /** @param button the one that was pressed */
  onDismiss: (button: HTMLButtonElement) => void;
}

function ToastCard({ entry, onDismiss }: ToastCardProps) {
  const isError = entry.type === 'error';
  return (
    <div className="toast">
      <svg
        viewBox="0 0 20 20"
        className={`mt-0.5 size-[20px] ${isError ? 'text-danger' : 'text-success'}`}
        aria-hidden="true"
      >
        <circle cx="10" cy="10" r="9" fill="currentColor" />
        <path
          d={isError ? 'M10 5v6m0 2.5v1.5' : 'm5.8 10.3 2.9 2.9 5.5-6'}
          fill="none"
          stroke="var(--surface)"
          strokeWidth="2"
        />
      </svg>
      <span className="py-px">{entry.message}</span>
      <button
        type="button"
        aria-label="Dismiss this message"
        onClick={({ currentTarget }) => onDismiss(currentTarget)}
        className="grid size-[28px] place-items-center rounded-full text-muted hover:bg-subtle"
      >
        <Icon name="close" className="size-[16px]" />
      </button>
    </div>
  );
}
