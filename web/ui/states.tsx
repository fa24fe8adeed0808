import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useOnline } from './online-status.tsx';

/** A grey placeholder for content that is loading. @param props.className its size */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-[breathe_1.6s_ease-in-out_infinite] rounded-lg bg-subtle ${className}`}
    />
  );
}

/** Milliseconds until the loading message becomes visible. */
const SLOW_AFTER = 8_000;

/**
 * Wraps skeletons. Announces what is loading to screen readers at once, and in visible text when it is slow. Offline a sentence stands in
 * their place: the tries take long to fail, and what is loaded is asked for again when the browser is back online.
 */
export function Loading({ what, children }: { what: string; children: ReactNode }) {
  const [isSlow, setIsSlow] = useState(false);
  const online = useOnline();
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true">
      <p role="status" className={!online ? 'p-3 text-muted' : isSlow ? 'pb-3 text-muted' : 'sr-only'}>
        {!online
          ? `You are offline. Loading ${what} goes on once you are back.`
          : isSlow
            ? `Loading ${what} takes longer than usual. Still trying.`
            : `Loading ${what}`}
      </p>
      {online && children}
    </div>
  );
}

interface StateProps {
  title: string;
  /** `h1` when the page has no other heading. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  /** A link or button for the next step. */
  action?: ReactNode;
}

/** An empty list: what it will contain, and the next step. */
export function EmptyState({ title, heading: Heading = 'h2', children, action }: StateProps) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-xl border border-border border-dashed p-6 sm:p-10">
      <Heading className="text-xl">{title}</Heading>
      {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  title?: string | undefined;
  /** `h1` when the page has no other heading. */
  heading?: 'h1' | 'h2' | undefined;
  /** A sentence for people. */
  message: string;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** A failed request with its message and a button to retry. */
export function ErrorState(props: ErrorStateProps) {
  const { title = 'That did not work', heading: Heading = 'h2', message, onRetry, retrying = false } = props;
  const online = useOnline();
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-3 rounded-xl border border-danger bg-danger-soft p-6 sm:p-8"
    >
      <Heading className="text-xl">{title}</Heading>
      <p className="max-w-prose">
        {!online && <strong>You are offline. </strong>}
        {message}
      </p>
      {onRetry !== undefined && (
        <Button variant="secondary" onClick={onRetry} busy={retrying && 'Trying again'}>
          Try again
        </Button>
      )}
    </div>
  );
}
