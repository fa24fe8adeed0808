import type { ReactNode } from 'react';

const looks = {
  line: 'cursor-pointer py-2 font-semibold',
  button:
    'flex min-h-11 cursor-pointer list-none items-center justify-center rounded-lg border border-border-strong px-5 py-2.5 font-semibold hover:bg-subtle sm:inline-flex [&::-webkit-details-marker]:hidden',
} as const;

interface DetailsProps {
  summary: ReactNode;
  className?: string;
  /** Of the summary: a line, or on a phone a button as wide as the page. */
  look?: keyof typeof looks;
  /** With `onOpenChange`: whether it is open. Left out: the reader opens and closes it. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** A line that shows what is below it. */
export function Details(props: DetailsProps) {
  const { summary, className, look = 'line', open, onOpenChange, children } = props;
  return (
    <details
      className={className}
      open={open}
      onToggle={({ currentTarget }) => onOpenChange?.(currentTarget.open)}
    >
      <summary className={looks[look]}>{summary}</summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
