import type { ReactNode } from 'react';

/** The colours of badges. */
export const badgeTones = {
  neutral: 'bg-border text-muted',
  unchecked: 'px-0! font-normal! text-muted',
  good: 'bg-success-soft text-success',
  trust: 'bg-accent-soft text-accent',
  warm: 'bg-primary-soft text-foreground',
  bad: 'bg-danger-soft text-danger',
} as const;

/** A short state label. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: keyof typeof badgeTones;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap @max-xs:whitespace-normal rounded-full px-2.5 py-0.5 font-semibold text-sm ${badgeTones[tone]}`}
    >
      {children}
    </span>
  );
}

/** The icon of a verified seller. */
export function VerifiedIcon() {
  return (
    <svg viewBox="0 0 20 20" className="size-4" aria-hidden="true">
      <path
        d="M10 1l2.3 1.9 3-.2.8 2.9 2.5 1.6-1 2.8 1 2.8-2.5 1.6-.8 2.9-3-.2L10 19l-2.3-1.9-3 .2-.8-2.9-2.5-1.6 1-2.8-1-2.8 2.5-1.6.8-2.9 3 .2z"
        fill="currentColor"
      />
      <path d="m6.5 10.2 2.4 2.4 4.6-4.9" fill="none" stroke="var(--surface)" strokeWidth="1.8" />
    </svg>
  );
}
