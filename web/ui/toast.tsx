import toast, { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { useOnline } from './online.tsx';

export { toast };

/** Milliseconds that a message stays. */
const durations = { error: { duration: 4000 }, success: { duration: 2000 } } as const;
/** How many messages stand at once; the oldest give way. */
const LIMIT = 20;

/**
 * Where toasts appear: errors for 4 s, successes for 2 s, held while the pointer or the focus is on them; at most
 * 20 at once.
 */
export function ToastHost() {
  const { toasts, handlers } = useToaster(durations);
  const online = useOnline();
  return (
    <section
      aria-label="Messages"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      // Below the navbar, which is higher while it says that there is no connection.
      className={`pointer-events-none fixed inset-x-0 z-60 flex flex-col items-center gap-2 px-4 ${online ? 'top-20' : 'top-34'}`}
    >
      {toasts
        .filter((entry) => entry.visible)
        .slice(0, LIMIT)
        .map((entry) => (
          <ToastCard key={entry.id} entry={entry} />
        ))}
    </section>
  );
}

function ToastCard({ entry }: { entry: Toast }) {
  const bad = entry.type === 'error';
  return (
    <div
      {...entry.ariaProps}
      className="pointer-events-auto flex max-w-md animate-[rise_150ms_ease-out] items-start gap-3 rounded-xl border border-line bg-surface py-3 pr-2 pl-4 shadow-raised"
    >
      <svg
        viewBox="0 0 20 20"
        className={`mt-0.5 size-5 shrink-0 ${bad ? 'text-red' : 'text-leaf'}`}
        aria-hidden="true"
      >
        <circle cx="10" cy="10" r="9" fill="currentColor" />
        <path
          d={bad ? 'M10 5v6m0 2.5v1.5' : 'm5.8 10.3 2.9 2.9 5.5-6'}
          fill="none"
          stroke="var(--surface)"
          strokeWidth="2"
        />
      </svg>
      <span className="py-px">{resolveValue(entry.message, entry)}</span>
      <button
        type="button"
        aria-label="Dismiss this message"
        onClick={() => toast.remove(entry.id)}
        className="grid size-7 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunken"
      >
        <svg viewBox="0 0 20 20" className="size-4" aria-hidden="true">
          <path d="m5 5 10 10M15 5 5 15" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
    </div>
  );
}
