import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { type CheckName, checkNames } from '#contract/certification/browser-checks.ts';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords } from '../../inspections/check-words.ts';
import { SecondaryButton } from '../../ui/button.tsx';
import { CameraTest } from './camera-test.tsx';
import { type CheckProgress, toResults } from './check-progress.ts';
import { CodeForm } from './code-form.tsx';
import { DeadPixelsTest } from './dead-pixels-test.tsx';
import { GraphicsTest } from './graphics-test.tsx';
import { KeyboardTest } from './keyboard-test.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { RefreshRateTest } from './refresh-rate-test.tsx';
import { StepHeading } from './step-heading.tsx';
import { Summary } from './summary.tsx';
import type { TestProps } from './test-card.tsx';
import { TestList } from './test-list.tsx';
import { TouchTest } from './touch-test.tsx';
import { TouchpadTest } from './touchpad-test.tsx';
import { useCheckProgress } from './use-check-progress.ts';

/** Confirms that the results were sent. @param props.children the next step */
function Sent({ progress, children }: { progress: CheckProgress; children: ReactNode }) {
  const results = toResults(progress);
  return (
    <section aria-labelledby="step" className="card max-w-3xl shadow-card">
      <StepHeading>The results were sent</StepHeading>
      <p role="status" className="mt-2 mb-5">
        {countWords(results)}. The seller’s page “Measure this laptop” now shows them. You can close this
        page.
      </p>
      <CheckResults results={results} />
      <div className="mt-6">{children}</div>
    </section>
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
              position={`Test ${checkNames.indexOf(current) + 1} of ${checkNames.length}`}
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
