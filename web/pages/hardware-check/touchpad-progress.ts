/** What a touchpad must do, in the order of the list. */
export const touchpadTasks = {
  topLeft: 'Pointer in the top left corner',
  topRight: 'Pointer in the top right corner',
  bottomLeft: 'Pointer in the bottom left corner',
  bottomRight: 'Pointer in the bottom right corner',
  click: 'Click',
  rightClick: 'Right click: with two fingers, or at the lower right',
  scroll: 'Scroll with two fingers',
} as const;
export type TouchpadTask = keyof typeof touchpadTasks;

/** The share of the width and of the height that a corner takes. */
const CORNER = 0.2;

/** The corner that a point is in; null between them. @param x @param y in the units of the size, from the top left */
export function cornerAt(
  x: number,
  y: number,
  { width, height }: { width: number; height: number },
): TouchpadTask | null {
  const isLeft = x <= width * CORNER;
  const isTop = y <= height * CORNER;
  if (!isLeft && x < width * (1 - CORNER)) return null;
  if (!isTop && y < height * (1 - CORNER)) return null;
  if (isTop) return isLeft ? 'topLeft' : 'topRight';
  return isLeft ? 'bottomLeft' : 'bottomRight';
}
