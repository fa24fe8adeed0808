import type { ReactNode } from 'react';

/** A name with its value. */
export interface Fact {
  name: string;
  value: ReactNode;
}

interface FactListProps {
  facts: readonly Fact[];
  /** The columns where there is room for two; left out: for short names. */
  columns?: string;
  className?: string;
}

/** Names with their values, a line each; with large text on a phone below each other. */
export function FactList({
  facts,
  columns = '@3xs:grid-cols-[minmax(7rem,1fr)_2.5fr]',
  className = '',
}: FactListProps) {
  return (
    <dl className={`@container border-border border-t ${className}`}>
      {facts.map(({ name, value }) => (
        <div key={name} className={`grid gap-x-4 ${columns} border-border border-b py-2`}>
          <dt className="text-muted">{name}</dt>
          <dd className="figures min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
