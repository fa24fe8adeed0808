import type { ReactNode } from 'react';

/** A page with one centered card, for example Reset Password. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page-width py-10 sm:py-16">
      <div className="card mx-auto w-full max-w-md shadow-card sm:p-9">
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        <div className="mt-6 flex flex-col gap-5">{children}</div>
      </div>
    </div>
  );
}
