import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useOnline } from './online-status.tsx';

/** A grey stand-in in the shape of what comes; `className` gives its size. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-[breathe_1.6s_ease-in-out_infinite] rounded-lg bg-sunken ${className}`}
    />
  );
}

/** Milliseconds until a page says that it is still waiting. */
const PATIENCE = 8_000;

/** Wraps skeletons: says what is being loaded, at first only to those who cannot see them. */
export function Loading({ what, children }: { what: string; children: ReactNode }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const patience = setTimeout(() => setIsSlow(true), PATIENCE);
    return () => clearTimeout(patience);
  }, []);
  return (
    <div aria-busy="true">
      <p role="status" className={isSlow ? 'pb-3 text-quiet' : 'sr-only'}>
        {isSlow ? `Loading ${what} takes longer than usual. Still trying.` : `Loading ${what}`}
      </p>
      {children}
    </div>
  );
}

interface StateProps {
  title: string;
  /** `h1` where nothing else is on the page. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** Nothing is here yet: what would be, and the next step. */
export function EmptyState({ title, heading: Heading = 'h2', children, action }: StateProps) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-xl border border-line border-dashed p-6 sm:p-10">
      <Heading className="text-xl">{title}</Heading>
      {children !== undefined && <div className="max-w-prose text-quiet">{children}</div>}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  title?: string;
  /** `h1` where nothing else is on the page. */
  heading?: 'h1' | 'h2';
  /** A sentence for people. */
  message: string;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
  children?: ReactNode;
}

/** Something went wrong: what, and a way to go on. */
export function ErrorState({
  title = 'That did not work',
  heading: Heading = 'h2',
  message,
  onRetry,
  retrying = false,
  children,
}: ErrorStateProps) {
  const online = useOnline();
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-3 rounded-xl border border-red bg-red-soft p-6 sm:p-8"
    >
      <Heading className="text-xl">{title}</Heading>
      <p className="max-w-prose">
        {!online && <strong>You are offline. </strong>}
        {message}
      </p>
      {children}
      {onRetry !== undefined && (
        <Button look="secondary" onClick={onRetry} busy={retrying && 'Trying again'}>
          Try again
        </Button>
      )}
    </div>
  );
}
