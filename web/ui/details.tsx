import type { ReactNode } from 'react';

interface DetailsProps {
  summary: ReactNode;
  className?: string;
  /** With `onOpenChange`: whether it is open. Left out: the reader opens and closes it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** A line that shows what is below it. */
export function Details({ summary, className, open, onOpenChange, children }: DetailsProps) {
  return (
    <details
      className={className}
      open={open}
      onToggle={({ currentTarget }) => onOpenChange?.(currentTarget.open)}
    >
      <summary className="cursor-pointer py-2 font-semibold">{summary}</summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
