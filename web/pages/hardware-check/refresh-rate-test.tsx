import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { estimateRefreshRate } from './refresh-rate.ts';
import { TestCard, type TestProps } from './test-card.tsx';

/** Milliseconds for which frames are counted. */
const MEASURING_MS = 2_000;

type Measurement = 'none' | 'running' | 'uneven' | { hertz: number };

/** Counts how often the browser draws, which follows the screen. */
export function RefreshRateTest(props: TestProps) {
  const [measurement, setMeasurement] = useState<Measurement>('none');
  const request = useRef(0);
  useEffect(() => () => cancelAnimationFrame(request.current), []);
  function start() {
    setMeasurement('running');
    const times: number[] = [];
    const onFrame = (time: number) => {
      times.push(time);
      if (time - (times[0] ?? time) < MEASURING_MS) {
        request.current = requestAnimationFrame(onFrame);
        return;
      }
      const hertz = estimateRefreshRate(times);
      setMeasurement(hertz === null ? 'uneven' : { hertz });
    };
    request.current = requestAnimationFrame(onFrame);
  }
  const hertz = typeof measurement === 'object' ? measurement.hertz : null;
  return (
    <TestCard
      {...props}
      instructions={
        <p>
          The page counts for two seconds how often the screen is drawn. Close other programs and keep this
          page in front. Energy saving can lower the rate.
        </p>
      }
      passLabel="Keep this result"
      before={hertz === null ? 'Measure first.' : null}
      failLabel="The screen flickers or stutters"
      finding={hertz === null ? null : `${hertz} Hz`}
    >
      <Button variant="secondary" onClick={start} busy={measurement === 'running' && 'Measuring'}>
        {measurement === 'none' ? 'Measure' : 'Measure again'}
      </Button>
      <p role="status" className="mt-3 text-xl">
        {measurement === 'running' && <span className="sr-only">Measuring</span>}
        {hertz !== null && `${hertz} Hz`}
        {measurement === 'uneven' &&
          'The browser drew too unevenly for a result. Close other programs and measure again, or skip this test.'}
      </p>
    </TestCard>
  );
}
