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

const none: readonly Toast[] = [];

/**
 * Pauses the toasts while one is hovered or focused. Removing a focused toast fires no blur event, so both states are
 * checked again after each removal.
 * @returns the event handlers of the host
 */
function usePause(host: RefObject<HTMLElement | null>, count: number) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = hovered || focused;
  useEffect(() => toast.pause(paused), [paused]);

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

/**
 * Shows toasts: errors for 4 s, successes for 2 s, paused while hovered or focused, at most 20 at once.
 */
export function ToastHost() {
  const host = useRef<HTMLElement>(null);
  /** The element that was focused before a toast. */
  const focusedBefore = useRef<EventTarget | null>(null);
  const toasts = useSyncExternalStore(toast.subscribe, toast.read, () => none);
  const { onFocus, ...pause } = usePause(host, toasts.length);
  const online = useOnline();

  /** Moves the focus to another toast, or to the element focused before, when the focused toast is dismissed. */
  function moveFocus(from: HTMLButtonElement) {
    if (document.activeElement !== from) return;
    const buttons = [...(host.current?.querySelectorAll('button') ?? [])];
    const index = buttons.indexOf(from);
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next !== undefined) next.focus();
    else if (focusedBefore.current instanceof HTMLElement && focusedBefore.current.isConnected)
      focusedBefore.current.focus();
    else moveFocusTo('');
  }

  return (
    <section
      ref={host}
      aria-label="Messages"
      // Base UI hides everything outside an open dialog from screen readers, except elements with aria-live.
      aria-live="off"
      {...pause}
      onFocus={({ relatedTarget }) => {
        if (host.current?.contains(relatedTarget) !== true) focusedBefore.current = relatedTarget;
        onFocus();
      }}
      // Below the navbar, which is higher while it shows the offline bar.
      className={`pointer-events-none fixed inset-x-0 z-60 flex flex-col items-center gap-2 px-4 ${online ? 'top-20 max-lg:top-32' : 'top-34 max-lg:top-46'}`}
    >
      {toasts.map((entry) => (
        <ToastCard
          key={entry.id}
          entry={entry}
          onDismiss={(button) => {
            moveFocus(button);
            toast.remove(entry.id);
          }}
        />
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
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-auto flex max-w-md animate-[rise_150ms_ease-out] items-start gap-3 rounded-xl border border-line bg-surface py-3 pr-2 pl-4 shadow-raised"
    >
      <svg
        viewBox="0 0 20 20"
        className={`mt-0.5 size-5 shrink-0 ${isError ? 'text-red' : 'text-leaf'}`}
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
        className="grid size-7 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunken"
      >
        <Icon d="m5 5 10 10M15 5 5 15" strokeWidth="2" className="size-4" />
      </button>
    </div>
  );
}
