import type { ReactNode } from 'react';

interface StepProps {
  title: string;
  /** Such as `Test 2 of 8`. */
  position?: string;
  className: string;
  children: ReactNode;
}

/** A step of the check. Its heading takes the focus when it begins. */
export function Step({ title, position, className, children }: StepProps) {
  return (
    <section aria-labelledby="step" className={`card shadow-card ${className}`}>
      {position !== undefined && <p className="text-muted text-sm">{position}</p>}
      <h2 id="step" tabIndex={-1} className="text-2xl outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}
