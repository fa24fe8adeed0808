import { luminanceAt, THUMBNAIL_SIZE } from './fingerprint.ts';

/**
 * The maximum unexplained variance of two thumbnails of the same picture, chosen by measurement
 * (docs/decisions/0026-photos-shown-twice.md).
 */
const MAXIMUM_DIFFERENCE = 0.0015;

/** How far an edge is moved in search of the same picture, as parts of its size: first far, then near. */
const STEPS = [0.03, 0.015, 0.0075, 0.00375] as const;
/** How far an edge may be from that of the whole picture. */
const MAXIMUM_CROP = 0.12;
/** The most difference that an edge which is off by a step makes: with more of it, the pictures are different ones. */
const DIFFERENCE_OF_STEP = 2;
/** The part of the difference that may remain after a move; with more of it, the next smaller step is tried. */
const MINIMUM_PROGRESS = 0.98;

/** The part of a picture that another one shows: how far each edge is inside of its own; below 0 outside. */
type Crop = readonly [left: number, right: number, top: number, bottom: number];

/** The edges that are moved together. */
const moves: readonly Crop[] = [
  [1, 1, 1, 1],
  [1, 1, 0, 0],
  [0, 0, 1, 1],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

/** Blurs with the kernel 1 2 1: what differs between pixels is noise of the compression. */
function blur(thumbnail: Uint8Array): Float64Array {
  return Float64Array.from(thumbnail, (_, index) => {
    const [x, y] = [index % THUMBNAIL_SIZE, Math.floor(index / THUMBNAIL_SIZE)];
    const rowSum = (row: number) =>
      luminanceAt(thumbnail, x - 1, row) +
      2 * luminanceAt(thumbnail, x, row) +
      luminanceAt(thumbnail, x + 1, row);
    return (rowSum(y - 1) + 2 * rowSum(y) + rowSum(y + 1)) / 16;
  });
}

/**
 * The variance that a linear change of brightness does not explain: 0 for the same picture, 1 for unrelated ones.
 * @param crop the part of the first picture that the second one shows; pixels outside of the first are left out
 */
function difference(first: Float64Array, second: Float64Array, [left, right, top, bottom]: Crop): number {
  const last = THUMBNAIL_SIZE - 1;
  const [scaleX, scaleY] = [1 - left - right, 1 - top - bottom];
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let row = 1; row < last; row += 1) {
    const y = top * THUMBNAIL_SIZE + (row + 0.5) * scaleY - 0.5;
    if (y < 0 || y > last) continue;
    for (let column = 1; column < last; column += 1) {
      const x = left * THUMBNAIL_SIZE + (column + 0.5) * scaleX - 0.5;
      if (x < 0 || x > last) continue;
      const a = luminanceAt(first, x, y);
      const b = second[row * THUMBNAIL_SIZE + column] ?? 0;
      count += 1;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const covariance = sumAB - (sumA * sumB) / count;
  const variances = (sumAA - sumA ** 2 / count) * (sumBB - sumB ** 2 / count);
  return variances > 0 ? 1 - covariance / Math.sqrt(variances) : 1;
}

/** Whether the second picture shows a part of the first one: moves edges while the difference falls. */
function isPartOf(first: Float64Array, second: Float64Array): boolean {
  let crop: Crop = [0, 0, 0, 0];
  let present = difference(first, second, crop);
  for (const step of STEPS) {
    for (let before = 1; present > MAXIMUM_DIFFERENCE && present <= before * MINIMUM_PROGRESS; ) {
      before = present;
      for (const [left, right, top, bottom] of moves) {
        for (const by of [step, -step]) {
          const tried: Crop = [
            crop[0] + left * by,
            crop[1] + right * by,
            crop[2] + top * by,
            crop[3] + bottom * by,
          ];
          const isFar = tried.some((edge) => Math.abs(edge) > MAXIMUM_CROP);
          const found = isFar ? 1 : difference(first, second, tried);
          if (found < present) [crop, present] = [tried, found];
        }
      }
    }
    if (present > step * DIFFERENCE_OF_STEP) return false;
  }
  return present <= MAXIMUM_DIFFERENCE;
}

/**
 * Whether two thumbnails are of the same picture, also if one was recompressed, made brighter, or cropped by up to about
 * 5 % at each edge.
 */
export function isSamePicture(first: Uint8Array, second: Uint8Array): boolean {
  const [one, other] = [blur(first), blur(second)];
  return isPartOf(one, other) || isPartOf(other, one);
}
