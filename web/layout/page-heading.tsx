import type { ReactNode } from 'react';

/** The heading of a dashboard page with a description and an action. */
export function PageHeading({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <h1 className="text-3xl">{title}</h1>
        {children !== undefined && <p className="mt-1.5 max-w-prose text-quiet">{children}</p>}
      </div>
      {action}
    </header>
  );
}
