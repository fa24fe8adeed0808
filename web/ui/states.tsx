import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** A grey stand-in in the shape of what comes; `className` gives its size. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-[breathe_1.6s_ease-in-out_infinite] rounded-lg bg-sunken ${className}`}
    />
  );
}

/** Wraps skeletons: says once, for those who cannot see them, what is being loaded. */
export function Loading({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        Loading {what}
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
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-3 rounded-xl border border-red bg-red-soft p-6 sm:p-8"
    >
      <Heading className="text-xl">{title}</Heading>
      <p className="max-w-prose">{message}</p>
      {children}
      {onRetry !== undefined && (
        <Button look="secondary" onClick={onRetry} busy={retrying && 'Trying again'}>
          Try again
        </Button>
      )}
    </div>
  );
}
