import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { TestCard, type TestProps } from './test-card.tsx';
import { cornerAt, type TouchpadTask, touchpadTasks } from './touchpad-progress.ts';

const tasks = Object.entries(touchpadTasks);
const corners = [
  ['topLeft', 'top-0 left-0'],
  ['topRight', 'top-0 right-0'],
  ['bottomLeft', 'bottom-0 left-0'],
  ['bottomRight', 'right-0 bottom-0'],
] as const;

export function TouchpadTest(props: TestProps) {
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const area = useRef<HTMLDivElement>(null);
  const complete = (task: TouchpadTask | null) => {
    if (task !== null && !done.has(task)) setDone((before) => new Set([...before, task]));
  };
  // The page must not scroll away before scrolling is counted, and React's wheel listener cannot prevent that.
  const scroll = useEffectEvent((event: WheelEvent) => {
    if (done.has('scroll')) return;
    event.preventDefault();
    complete('scroll');
  });
  useEffect(() => {
    const element = area.current;
    const onWheel = (event: WheelEvent) => scroll(event);
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
  function movePointer({ pointerType, clientX, clientY, currentTarget }: PointerEvent) {
    if (pointerType !== 'mouse') return;
    const box = currentTarget.getBoundingClientRect();
    complete(cornerAt(clientX - box.left, clientY - box.top, box));
  }
  const left = tasks.length - done.size;
  return (
    <TestCard
      {...props}
      instructions={
        <p>
          With the laptop’s own touchpad, move the pointer into each corner of the area, click and right-click
          in it, and scroll over it. Unplug a mouse first: the browser cannot tell them apart.
        </p>
      }
      passLabel="The touchpad works"
      before={left === 0 ? null : `It works once all are done: ${left} to go.`}
      failLabel="It does not work"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the touchpad is what is tested; the answer is given by buttons */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: likewise */}
      <div
        ref={area}
        onPointerMove={movePointer}
        onClick={() => complete('click')}
        onContextMenu={(event) => {
          event.preventDefault();
          complete('rightClick');
        }}
        className="relative mb-5 h-56 select-none overflow-hidden rounded-lg border border-border-strong bg-subtle sm:h-72"
      >
        {corners.map(([task, place]) => (
          <span
            key={task}
            aria-hidden="true"
            className={`absolute h-1/5 w-1/5 border ${place} ${done.has(task) ? 'border-success bg-success-soft' : 'border-border-strong bg-surface'}`}
          />
        ))}
        <p className="grid h-full place-items-center px-[22%] text-center text-muted">
          Corners, click, right click, scroll
        </p>
      </div>
      <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {tasks.map(([task, words]) => (
          <li key={task} className="flex items-baseline gap-2">
            <span
              className={`w-14 shrink-0 text-sm ${done.has(task) ? 'font-semibold text-success' : 'text-muted'}`}
            >
              {done.has(task) ? 'Done' : 'To do'}
            </span>
            {words}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {done.size} of {tasks.length} done
      </p>
    </TestCard>
  );
}
