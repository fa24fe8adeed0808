import { useState } from 'react';
import { type CheckName, checkLabels, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { Problem } from '#contract/platform/client.ts';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords } from '../../inspections/check-words.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { useApi } from '../../session/session.tsx';
import { Button, SmallButton } from '../../ui/button.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { type CheckProgress, toResults } from './check-progress.ts';
import { StepHeading } from './step-heading.tsx';

type Sending = { status: 'waiting' } | { status: 'sending' } | { status: 'failed'; error: unknown };

interface SummaryProps {
  progress: CheckProgress;
  onChoose: (name: CheckName) => void;
  onAnotherCode: () => void;
  onSent: () => void;
}

/** All results before they are sent. */
export function Summary({ progress, onChoose, onAnotherCode, onSent }: SummaryProps) {
  const api = useApi();
  const results = toResults(progress);
  const [sending, setSending] = useState<Sending>({ status: 'waiting' });
  async function send() {
    setSending({ status: 'sending' });
    try {
      await api.call(submitBrowserCheck, {
        body: { code: progress.code, results, browser: progress.browser },
      });
      onSent();
    } catch (error) {
      setSending({ status: 'failed', error });
    }
  }
  const failure = sending.status === 'failed' ? sending.error : null;
  const needsAnotherCode = failure instanceof Problem && failure.code === 'check_refused';
  return (
    <section aria-labelledby="step" className="card max-w-3xl shadow-card">
      <StepHeading>Results</StepHeading>
      <p className="mt-2 mb-5 text-muted">
        {countWords(results)}. This is what will be sent, with what the tests of graphics and refresh rate
        read. Nothing else is.
      </p>
      <CheckResults
        results={results}
        action={(name) => (
          <SmallButton
            variant="quiet"
            aria-label={`Repeat: ${checkLabels[name]}`}
            disabled={sending.status === 'sending'}
            onClick={() => onChoose(name)}
          >
            Repeat
          </SmallButton>
        )}
      />
      {sending.status === 'failed' && (
        <ProblemNotice className="mt-5 text-danger">
          <p>{errorMessage(failure)}</p>
          {needsAnotherCode && (
            <Button variant="secondary" onClick={onAnotherCode} className="mt-3">
              Enter another code
            </Button>
          )}
        </ProblemNotice>
      )}
      <div className="mt-5">
        <Button onClick={() => void send()} busy={sending.status === 'sending' && 'Sending the results'}>
          {sending.status === 'failed' ? 'Send again' : 'Send the results'}
        </Button>
      </div>
    </section>
  );
}
