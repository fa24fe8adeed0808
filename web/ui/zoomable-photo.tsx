import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type TouchEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { photoSources } from '#contract/photos.ts';
import { Photo } from './photo.tsx';

/** How much larger than fitting into the window a photo is shown. */
export const levels = [1, 1.5, 2, 3, 4] as const;
export type Level = (typeof levels)[number];

/** Where a click on the photo leads to. */
const CLOSER: Level = 2;

/** Two taps within so many milliseconds and pixels are one double tap. */
const DOUBLE_TAP = { milliseconds: 300, pixels: 30 };

/** How far a finger moves along a whole photo, in pixels, to turn to the next. */
const SWIPE = 50;

/** Further than this, in pixels, a press of the mouse is a pull and no click. */
const PULL = 4;

interface Point {
  x: number;
  y: number;
}

interface PhotoStageProps {
  url: string;
  alt: string;
  level: Level;
  onLevel: (level: Level) => void;
  /** A swipe along the whole photo: on or back. */
  onTurn: (by: 1 | -1) => void;
  photoRef: RefObject<HTMLButtonElement | null>;
}

/** The photo at a level, to be clicked closer, pulled about and scrolled. Mounted anew for each photo. */
export function PhotoStage({ url, alt, level, onLevel, onTurn, photoRef }: PhotoStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  /** The point of the photo, in fractions of its size, that is to stay where it is in the window. */
  const anchor = useRef<{ of: Point; at: Point } | null>(null);
  const pull = useRef<{ from: Point; scroll: Point; moved: boolean } | null>(null);
  const lastTap = useRef<{ at: Point; time: number } | null>(null);
  const finger = useRef<Point | null>(null);
  const { width = 4, height = 3 } = photoSources(url);

  useLayoutEffect(() => {
    const [box, view, kept] = [photoRef.current?.getBoundingClientRect(), stage.current, anchor.current];
    anchor.current = null;
    if (box === undefined || view === null) return;
    const frame = view.getBoundingClientRect();
    const { of, at } = kept ?? {
      of: { x: 0.5, y: 0.5 },
      at: { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 },
    };
    if (level > 1) view.scrollBy(box.left + of.x * box.width - at.x, box.top + of.y * box.height - at.y);
  }, [level, photoRef]);

  function toggle(at: Point | null) {
    const box = photoRef.current?.getBoundingClientRect();
    if (at !== null && box !== undefined) {
      anchor.current = { at, of: { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height } };
    }
    onLevel(level === 1 ? CLOSER : 1);
  }

  function click(event: MouseEvent) {
    const { nativeEvent } = event;
    const at = { x: event.clientX, y: event.clientY };
    // By Enter or the space bar: in the middle.
    if (event.detail === 0) return toggle(null);
    if (pull.current?.moved) return;
    if (!(nativeEvent instanceof globalThis.PointerEvent) || nativeEvent.pointerType !== 'touch')
      return toggle(at);
    const before = lastTap.current;
    const isSecond =
      before !== null &&
      event.timeStamp - before.time < DOUBLE_TAP.milliseconds &&
      Math.hypot(at.x - before.at.x, at.y - before.at.y) < DOUBLE_TAP.pixels;
    lastTap.current = isSecond ? null : { at, time: event.timeStamp };
    if (isSecond) toggle(at);
  }

  function press(event: PointerEvent) {
    pull.current = null;
    const view = stage.current;
    // A finger scrolls by itself.
    if (view === null || event.pointerType === 'touch' || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pull.current = {
      from: { x: event.clientX, y: event.clientY },
      scroll: { x: view.scrollLeft, y: view.scrollTop },
      moved: false,
    };
  }

  function move(event: PointerEvent) {
    const pulled = pull.current;
    if (pulled === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const [x, y] = [event.clientX - pulled.from.x, event.clientY - pulled.from.y];
    if (Math.hypot(x, y) > PULL) pulled.moved = true;
    stage.current?.scrollTo(pulled.scroll.x - x, pulled.scroll.y - y);
  }

  function touch({ touches }: TouchEvent) {
    const first = touches[0];
    finger.current =
      touches.length === 1 && first !== undefined && level === 1
        ? { x: first.clientX, y: first.clientY }
        : null;
  }

  function release({ changedTouches }: TouchEvent) {
    const last = changedTouches[0];
    const from = finger.current;
    finger.current = null;
    // Enlarged by the browser's own pinch, a photo is being moved about.
    if (from === null || last === undefined || (window.visualViewport?.scale ?? 1) > 1) return;
    const [x, y] = [last.clientX - from.x, last.clientY - from.y];
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) onTurn(x < 0 ? 1 : -1);
  }

  return (
    <div
      ref={stage}
      onTouchStart={touch}
      onTouchEnd={release}
      className="@container-size flex min-h-0 flex-1 overflow-auto"
    >
      <button
        ref={photoRef}
        type="button"
        aria-label={level === 1 ? `Enlarge: ${alt}` : `Show whole: ${alt}`}
        onClick={click}
        onPointerDown={press}
        onPointerMove={move}
        onDragStart={(event) => event.preventDefault()}
        style={{
          width: `calc(min(100cqw, 100cqh * ${width / height}) * ${level})`,
          aspectRatio: `${width} / ${height}`,
        }}
        className={`m-auto block shrink-0 touch-manipulation select-none focus-visible:-outline-offset-4 ${level === 1 ? 'cursor-zoom-in' : 'cursor-grab active:cursor-grabbing'}`}
      >
        <Photo
          url={url}
          alt=""
          eager
          sizes={level === 1 ? '100vw' : '400vw'}
          className="size-full object-contain"
        />
      </button>
    </div>
  );
}
