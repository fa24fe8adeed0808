import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type TouchEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { photoSources } from '#contract/listings/photos.ts';
import { Photo } from './photo.tsx';

/** Zoom levels; at 1 the photo fits into the window. */
export const levels = [1, 1.5, 2, 3, 4] as const;
export type Level = (typeof levels)[number];

/** The zoom level after a click. */
const CLICK_LEVEL: Level = 2;

/** The limits of a double tap. */
const DOUBLE_TAP = { milliseconds: 300, pixels: 30 };

/** Pixels a finger moves horizontally to show the next photo. */
const SWIPE_DISTANCE = 50;

/** Pixels of mouse movement above which a press is a drag, not a click. */
const DRAG_THRESHOLD = 4;

interface Point {
  x: number;
  y: number;
}

const toPoint = ({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point => ({ x, y });

interface ZoomablePhotoProps {
  url: string;
  alt: string;
  level: Level;
  onLevel: (level: Level) => void;
  /** Called on a horizontal swipe at zoom level 1: 1 for next, -1 for previous. */
  onSwipe: (by: 1 | -1) => void;
  photoRef: RefObject<HTMLButtonElement | null>;
}

/** A photo at a zoom level. It is remounted for each photo. */
export function ZoomablePhoto({ url, alt, level, onLevel, onSwipe, photoRef }: ZoomablePhotoProps) {
  const container = useRef<HTMLDivElement>(null);
  /** The photo point, in fractions of the photo's size, to keep at a window point while zooming. */
  const anchor = useRef<{ photoPoint: Point; windowPoint: Point } | null>(null);
  const drag = useRef<{ from: Point; scroll: Point; moved: boolean } | null>(null);
  const lastTap = useRef<{ at: Point; time: number } | null>(null);
  const touchStart = useRef<Point | null>(null);
  const { width = 4, height = 3 } = photoSources(url);

  useLayoutEffect(() => {
    const [box, view, kept] = [photoRef.current?.getBoundingClientRect(), container.current, anchor.current];
    anchor.current = null;
    if (box === undefined || view === null) return;
    const frame = view.getBoundingClientRect();
    const { photoPoint, windowPoint } = kept ?? {
      photoPoint: { x: 0.5, y: 0.5 },
      windowPoint: { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 },
    };
    if (level > 1)
      view.scrollBy(
        box.left + photoPoint.x * box.width - windowPoint.x,
        box.top + photoPoint.y * box.height - windowPoint.y,
      );
  }, [level, photoRef]);

  function toggleZoom(at: Point | null) {
    const box = photoRef.current?.getBoundingClientRect();
    if (at !== null && box !== undefined) {
      anchor.current = {
        windowPoint: at,
        photoPoint: { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height },
      };
    }
    onLevel(level === 1 ? CLICK_LEVEL : 1);
  }

  function handleClick(event: MouseEvent) {
    const { nativeEvent } = event;
    const at = toPoint(event);
    // Enter or Space zooms to the center.
    if (event.detail === 0) return toggleZoom(null);
    if (drag.current?.moved) return;
    if (!(nativeEvent instanceof globalThis.PointerEvent) || nativeEvent.pointerType !== 'touch')
      return toggleZoom(at);
    const before = lastTap.current;
    const isSecond =
      before !== null &&
      event.timeStamp - before.time < DOUBLE_TAP.milliseconds &&
      Math.hypot(at.x - before.at.x, at.y - before.at.y) < DOUBLE_TAP.pixels;
    lastTap.current = isSecond ? null : { at, time: event.timeStamp };
    if (isSecond) toggleZoom(at);
  }

  function handlePointerDown(event: PointerEvent) {
    drag.current = null;
    const view = container.current;
    // Browsers scroll by touch themselves.
    if (view === null || event.pointerType === 'touch' || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      from: toPoint(event),
      scroll: { x: view.scrollLeft, y: view.scrollTop },
      moved: false,
    };
  }

  function handlePointerMove(event: PointerEvent) {
    const dragged = drag.current;
    if (dragged === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const [x, y] = [event.clientX - dragged.from.x, event.clientY - dragged.from.y];
    if (Math.hypot(x, y) > DRAG_THRESHOLD) dragged.moved = true;
    container.current?.scrollTo(dragged.scroll.x - x, dragged.scroll.y - y);
  }

  function handleTouchStart({ touches }: TouchEvent) {
    const first = touches[0];
    touchStart.current = touches.length === 1 && first !== undefined && level === 1 ? toPoint(first) : null;
  }

  function handleTouchEnd({ changedTouches }: TouchEvent) {
    const last = changedTouches[0];
    const from = touchStart.current;
    touchStart.current = null;
    // After a pinch zoom of the browser, a touch pans.
    if (from === null || last === undefined || (window.visualViewport?.scale ?? 1) > 1) return;
    const [x, y] = [last.clientX - from.x, last.clientY - from.y];
    if (Math.abs(x) > SWIPE_DISTANCE && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
  }

  return (
    <div
      ref={container}
      onTouchStart={handleTouchStart}
      onTouchEnd={handleTouchEnd}
      className="@container-size flex min-h-0 flex-1 overflow-auto"
    >
      <button
        ref={photoRef}
        type="button"
        aria-label={level === 1 ? `Enlarge: ${alt}` : `Show whole: ${alt}`}
        onClick={handleClick}
        onPointerDown={handlePointerDown}
        onPointerMove={handlePointerMove}
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
