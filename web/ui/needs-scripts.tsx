import type { ReactNode } from 'react';

interface NeedsScriptsProps {
  className?: string;
  /** What follows on the sentence. */
  children?: ReactNode;
}

/** What visitors without scripts read on a page that does nothing without them. */
export function NeedsScripts({ className, children }: NeedsScriptsProps) {
  return (
    <noscript>
      <p className={className}>This page needs JavaScript.{children}</p>
    </noscript>
  );
}
