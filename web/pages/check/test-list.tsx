import { type CheckName, checkLabels, checkNames } from '#contract/certification/browser-checks.ts';
import { outcomeBadges } from '../../inspections/check-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { CheckProgress } from './check-progress.ts';

interface TestListProps {
  progress: CheckProgress;
  onChoose: (name: CheckName) => void;
  onFinish: () => void;
}

/** All tests with their outcomes. Each can be opened and repeated. */
export function TestList({ progress: { answers, current }, onChoose, onFinish }: TestListProps) {
  return (
    <nav aria-label="Tests" className="order-last lg:order-first">
      <ol className="grid gap-1 sm:grid-cols-2 lg:grid-cols-1">
        {checkNames.map((name) => {
          const answer = answers[name];
          return (
            <li key={name}>
              <button
                type="button"
                aria-current={name === current ? 'step' : undefined}
                onClick={() => onChoose(name)}
                className="flex min-h-11 w-full items-center justify-between gap-3 rounded-lg px-3 py-1.5 text-left hover:bg-subtle aria-[current]:bg-subtle aria-[current]:font-semibold"
              >
                {checkLabels[name]}
                {answer !== undefined && (
                  <Badge tone={outcomeBadges[answer.outcome].tone}>
                    {outcomeBadges[answer.outcome].text}
                  </Badge>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      <Button variant="secondary" onClick={onFinish} className="mt-4 w-full">
        Skip the rest
      </Button>
    </nav>
  );
}
