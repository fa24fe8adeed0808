import type { ReactNode } from 'react';
import { type CheckName, type CheckResult, checkLabels } from '#contract/certification/browser-checks.ts';
import { Badge } from '../ui/badge.tsx';
import { outcomeBadges } from './check-words.ts';

interface CheckResultsProps {
  results: readonly CheckResult[];
  /** A control at the end of each line. */
  action?: (name: CheckName) => ReactNode;
}

/** The results of a browser check, one line each. */
export function CheckResults({ results, action }: CheckResultsProps) {
  return (
    <ul className="border-border border-t">
      {results.map(({ name, outcome, note }) => (
        <li
          key={name}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border border-b py-2 sm:flex-nowrap"
        >
          <span className="min-w-28 flex-1 text-muted sm:flex-none sm:basis-56">{checkLabels[name]}</span>
          <Badge tone={outcomeBadges[outcome].tone}>{outcomeBadges[outcome].text}</Badge>
          <span className="order-last min-w-0 basis-full text-sm wrap-anywhere sm:order-none sm:flex-1 sm:basis-auto">
            {note}
          </span>
          {action?.(name)}
        </li>
      ))}
    </ul>
  );
}
