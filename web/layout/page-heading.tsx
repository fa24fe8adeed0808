import type { ReactNode } from 'react';

interface PageHeadingProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** The heading of a dashboard page with a description and an action. */
export function PageHeading({ title, children, action }: PageHeadingProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <h1 className="text-3xl">{title}</h1>
        {children !== undefined && <p className="mt-1.5 max-w-prose text-muted">{children}</p>}
      </div>
      {action}
    </header>
  );
}
