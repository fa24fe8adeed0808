import { type CheckName, checkLabels, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { Problem } from '#contract/platform/client.ts';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords } from '../../inspections/check-words.ts';
import { useWrite } from '../../requests/use-write.ts';
import { Button, SmallButton } from '../../ui/button.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { type CheckProgress, toResults } from './check-progress.ts';
import { Step } from './step.tsx';

interface SummaryProps {
  progress: CheckProgress;
  onChoose: (name: CheckName) => void;
  onAnotherCode: () => void;
  onSent: () => void;
}

/** All results before they are sent. */
export function Summary({ progress, onChoose, onAnotherCode, onSent }: SummaryProps) {
  const results = toResults(progress);
  // A failure is shown above the button.
  const sending = useWrite(submitBrowserCheck, { onSuccess: onSent, onError: () => undefined });
  const needsAnotherCode = sending.error instanceof Problem && sending.error.code === 'check_refused';
  return (
    <Step title="Results" className="max-w-3xl">
      <p className="mt-2 mb-5 text-muted">
        {countWords(results)}. This is what will be sent, with what the test of graphics read. Nothing else
        is.
      </p>
      <CheckResults
        results={results}
        action={(name) => (
          <SmallButton
            variant="quiet"
            aria-label={`Repeat: ${checkLabels[name]}`}
            disabled={sending.isPending}
            onClick={() => onChoose(name)}
          >
            Repeat
          </SmallButton>
        )}
      />
      {sending.isError && (
        <ProblemNotice className="mt-5 text-danger">
          <p>{sending.error.message}</p>
          {needsAnotherCode && (
            <Button variant="secondary" onClick={onAnotherCode} className="mt-3">
              Enter another code
            </Button>
          )}
        </ProblemNotice>
      )}
      <div className="mt-5">
        <Button
          onClick={() =>
            sending.mutate({ body: { code: progress.code, results, browser: progress.browser } })
          }
          busy={sending.isPending && 'Sending the results'}
        >
          {sending.isError ? 'Send again' : 'Send the results'}
        </Button>
      </div>
    </Step>
  );
}
