import {
  type ActionDispatch,
  type ComponentType,
  type ReactNode,
  useEffect,
  useReducer,
  useRef,
} from 'react';
import { type CheckName, checkLabels, checkNames } from '#contract/certification/browser-checks.ts';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords, outcomeBadges } from '../../inspections/check-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { tryStorage } from '../../ui/browser-storage.ts';
import { Button, SecondaryButton } from '../../ui/button.tsx';
import { CameraTest } from './camera-test.tsx';
import { type CheckAction, CheckProgress, newProgress, reduceProgress, toResults } from './check-progress.ts';
import { CodeForm } from './code-form.tsx';
import { DeadPixelsTest } from './dead-pixels-test.tsx';
import { GraphicsTest } from './graphics-test.tsx';
import { KeyboardTest } from './keyboard-test.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { RefreshRateTest } from './refresh-rate-test.tsx';
import { Step } from './step.tsx';
import { Summary } from './summary.tsx';
import type { TestProps } from './test-card.tsx';
import { TouchTest } from './touch-test.tsx';
import { TouchpadTest } from './touchpad-test.tsx';

const STORAGE_NAME = 'coomercioCheck';

/** The stored progress, with the code of the address in place of an earlier one. Runs in browsers only. */
function readProgress(): CheckProgress {
  const code = decodeFragment(location.hash);
  const stored = tryStorage(() =>
    CheckProgress.parse(JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '')),
  );
  if (stored === null || stored.stage === 'sent') return newProgress(code);
  return code === '' || code === stored.code ? stored : { ...stored, stage: 'code', code };
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1)).slice(0, 40);
  } catch {
    return '';
  }
}

/** The progress of the check, kept in sessionStorage until it is sent. Use it after hydration only. */
function useCheckProgress(): [CheckProgress, ActionDispatch<[CheckAction]>] {
  const [progress, dispatch] = useReducer(reduceProgress, null, readProgress);
  useEffect(() => {
    tryStorage(() => sessionStorage.setItem(STORAGE_NAME, JSON.stringify(progress)));
  }, [progress]);
  useEffect(() => {
    // An opened code is stored; in the address it would stay in the browser's history.
    if (progress.stage !== 'code' && location.hash !== '')
      history.replaceState(history.state, '', location.pathname);
  }, [progress.stage]);
  return [progress, dispatch];
}

interface TestListProps {
  progress: CheckProgress;
  onChoose: (name: CheckName) => void;
  onFinish: () => void;
}

/** All tests with their outcomes. Each can be opened and repeated. */
function TestList({ progress: { answers, current }, onChoose, onFinish }: TestListProps) {
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

/** Confirms that the results were sent. @param props.children the next step */
function Sent({ progress, children }: { progress: CheckProgress; children: ReactNode }) {
  const results = toResults(progress);
  return (
    <Step title="The results were sent" className="max-w-3xl">
      <p role="status" className="mt-2 mb-5">
        {countWords(results)}. The seller’s page “Measure this laptop” now shows them. You can close this
        page.
      </p>
      <CheckResults results={results} />
      <div className="mt-6">{children}</div>
    </Step>
  );
}

const tests: Record<CheckName, ComponentType<TestProps>> = {
  keyboard: KeyboardTest,
  touchpad: TouchpadTest,
  deadPixels: DeadPixelsTest,
  camera: CameraTest,
  microphone: MicrophoneTest,
  touch: TouchTest,
  refreshRate: RefreshRateTest,
  graphics: GraphicsTest,
};

/** The check from the code to the sent results. */
export function CheckView() {
  const [progress, dispatch] = useCheckProgress();
  const { stage, current, laptop } = progress;
  const step = useRef<HTMLDivElement>(null);
  const place = `${stage} ${current}`;
  const shownPlace = useRef(place);
  useEffect(() => {
    if (shownPlace.current === place) return;
    shownPlace.current = place;
    // The button that was pressed is gone: a screen reader goes on at the new heading.
    step.current?.querySelector('h2')?.focus();
  }, [place]);
  const Test = tests[current];
  return (
    <>
      <h1 className="text-3xl sm:text-4xl">Check this laptop</h1>
      <p className="mt-2 max-w-prose text-muted">
        {laptop === null
          ? 'Open this page on the laptop that is for sale. Each test takes less than a minute, and each can be skipped.'
          : `You are checking “${laptop.productName}”. Each test can be skipped. Sounds and pictures stay on this laptop.`}
      </p>
      <div ref={step} className="mt-6 sm:mt-8">
        {stage === 'code' && (
          <CodeForm
            code={progress.code}
            onOpened={(code, opened) => dispatch({ type: 'opened', code, laptop: opened })}
          />
        )}
        {stage === 'tests' && (
          <div className="grid items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
            <TestList
              progress={progress}
              onChoose={(name) => dispatch({ type: 'chosen', name })}
              onFinish={() => dispatch({ type: 'finished' })}
            />
            <Test
              key={current}
              name={current}
              onAnswer={(answer) => dispatch({ type: 'answered', name: current, answer })}
            />
          </div>
        )}
        {stage === 'summary' && (
          <Summary
            progress={progress}
            onChoose={(name) => dispatch({ type: 'chosen', name })}
            onAnotherCode={() => dispatch({ type: 'anotherCode' })}
            onSent={() => dispatch({ type: 'sent' })}
          />
        )}
        {stage === 'sent' && (
          <Sent progress={progress}>
            <SecondaryButton onClick={() => dispatch({ type: 'restarted' })}>
              Check another laptop
            </SecondaryButton>
          </Sent>
        )}
      </div>
    </>
  );
}
