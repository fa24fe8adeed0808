import type { ReactNode } from 'react';

/** Says beside a control that something went wrong. */
export function ErrorText({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <p role="alert" className={`text-danger ${className}`}>
      {children}
    </p>
  );
}
