import type { ReactNode } from 'react';
import { type CheckName, checkNames } from '#contract/certification/browser-checks.ts';

interface StepProps {
  title: string;
  /** The test that it is. */
  test?: CheckName;
  className: string;
  children: ReactNode;
}

/** A step of the check. Its heading takes the focus when it begins. */
export function Step({ title, test, className, children }: StepProps) {
  return (
    <section aria-labelledby="step" className={`card shadow-card ${className}`}>
      {test !== undefined && (
        <p className="text-muted text-sm">{`Test ${checkNames.indexOf(test) + 1} of ${checkNames.length}`}</p>
      )}
      <h2 id="step" tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}
