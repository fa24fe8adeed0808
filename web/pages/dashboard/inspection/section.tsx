import type { ReactNode } from 'react';

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the page with its heading, which can take the focus. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="card">
      <h2 id={id} tabIndex={-1} className="mb-4 text-xl outline-offset-4">
        {title}
      </h2>
      {children}
    </section>
  );
}
