import type { ReactNode } from 'react';

/** The heading of a step. It takes the focus when the step begins. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <h2 id="step" tabIndex={-1} className="text-2xl outline-none">
      {children}
    </h2>
  );
}
