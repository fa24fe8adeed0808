import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { SecondaryButton } from '../../ui/button.tsx';
import { TestCard, type TestProps } from './test-card.tsx';

const colours = [
  { name: 'Black', className: 'bg-pixel-black' },
  { name: 'White', className: 'bg-pixel-white' },
  { name: 'Red', className: 'bg-pixel-red' },
  { name: 'Green', className: 'bg-pixel-green' },
  { name: 'Blue', className: 'bg-pixel-blue' },
] as const;

/** Fills the whole screen with one colour after the other. A person looks for spots. */
export function DeadPixelsTest(props: TestProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(0);
  const [seen, setSeen] = useState(0);
  const colour = colours[at] ?? colours[0];

  async function start() {
    setAt(0);
    setSeen(1);
    // First: what opens later lies above. A browser that refuses shows the colours in its window.
    await document.documentElement.requestFullscreen?.().catch(() => undefined);
    dialog.current?.showModal();
  }
  function close() {
    dialog.current?.close();
    if (document.fullscreenElement !== null) void document.exitFullscreen();
  }
  function showColour(next: number) {
    if (next >= colours.length) return close();
    setAt(Math.max(0, next));
    setSeen((before) => Math.max(before, next + 1));
  }
  useEffect(() => {
    const onChange = () => {
      if (document.fullscreenElement === null) dialog.current?.close();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  function onKeyDown({ key }: KeyboardEvent) {
    if (key === 'ArrowRight') showColour(at + 1);
    if (key === 'ArrowLeft') showColour(at - 1);
  }
  return (
    <TestCard
      {...props}
      instructions={
        <p>
          The whole screen shows black, white, red, green and blue. Look for spots that have another colour. A
          click, Space or the right arrow key shows the next colour, Escape ends it. Wipe the screen first.
        </p>
      }
      passLabel="No spots"
      before={seen === colours.length ? null : 'Look at all five colours first.'}
      failLabel="I see spots"
    >
      <SecondaryButton onClick={() => void start()}>
        {seen === 0 ? 'Show the colours' : 'Show the colours again'}
      </SecondaryButton>
      <p role="status" className="mt-3 text-muted">
        {seen > 0 && `${seen} of ${colours.length} colours shown`}
      </p>
      <dialog
        ref={dialog}
        aria-label="Plain colours"
        onKeyDown={onKeyDown}
        onClose={() => {
          if (document.fullscreenElement !== null) void document.exitFullscreen();
        }}
        className={`m-0 size-full max-h-none max-w-none border-0 p-0 ${colour.className}`}
      >
        <button
          type="button"
          onClick={() => showColour(at + 1)}
          className="absolute inset-0 size-full cursor-none outline-none"
        >
          <span className="sr-only" aria-live="polite">
            {colour.name}, {at + 1} of {colours.length}. {at + 1 === colours.length ? 'End' : 'Next colour'}
          </span>
        </button>
      </dialog>
    </TestCard>
  );
}
