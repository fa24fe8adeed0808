import type { ReactNode } from 'react';

/** A section of the account page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2 className="text-xl">{title}</h2>
      <div className="mt-3 flex flex-col items-start gap-4">{children}</div>
    </section>
  );
}
