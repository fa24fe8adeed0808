import { luminanceAt, THUMBNAIL_SIZE } from './fingerprint.ts';

/**
 * The maximum unexplained variance of two thumbnails of the same picture, chosen by measurement
 * (docs/decisions/0026-photos-shown-twice.md).
 */
const MAXIMUM_DIFFERENCE = 0.0015;

const MAXIMUM_STEPS = 12;
/** The part of the difference that may remain after a step; with more of it, the search has ended. */
const MINIMUM_PROGRESS = 0.98;
/** How far a picture may be scaled and moved, as parts of its size. */
const MAXIMUM_SCALE = 1.2;
const MAXIMUM_SHIFT = 0.12;
/** The least part of the thumbnail that both pictures must show. */
const MINIMUM_OVERLAP = 0.6;

/** Where the pixels of one thumbnail are in another one, with coordinates from -0.5 to 0.5. */
interface Placement {
  scaleX: number;
  shiftX: number;
  scaleY: number;
  shiftY: number;
}

const clamp = (value: number, minimum: number, maximum: number) =>
  Math.min(maximum, Math.max(minimum, value));

/** Blurs with the kernel 1 2 1: what differs between pixels is noise of the compression. */
function blur(thumbnail: Uint8Array): Float64Array {
  return Float64Array.from(thumbnail, (_, index) => {
    const [x, y] = [index % THUMBNAIL_SIZE, Math.floor(index / THUMBNAIL_SIZE)];
    let sum = 0;
    for (const [offset, weight] of [
      [-1, 1],
      [0, 2],
      [1, 1],
    ] as const) {
      const row = y + offset;
      sum +=
        weight *
        (luminanceAt(thumbnail, x - 1, row) +
          2 * luminanceAt(thumbnail, x, row) +
          luminanceAt(thumbnail, x + 1, row));
    }
    return sum / 16;
  });
}

/** Calls back with each pixel that both pictures show, and its place in the first one. */
function forEachCommon(
  { scaleX, shiftX, scaleY, shiftY }: Placement,
  visit: (index: number, x: number, y: number, u: number, v: number) => void,
): void {
  const half = THUMBNAIL_SIZE / 2;
  for (let row = 1; row < THUMBNAIL_SIZE - 1; row += 1) {
    const v = (row - half) / THUMBNAIL_SIZE;
    const y = half + (scaleY * v + shiftY) * THUMBNAIL_SIZE;
    if (y < 0 || y > THUMBNAIL_SIZE - 1) continue;
    for (let column = 1; column < THUMBNAIL_SIZE - 1; column += 1) {
      const u = (column - half) / THUMBNAIL_SIZE;
      const x = half + (scaleX * u + shiftX) * THUMBNAIL_SIZE;
      if (x >= 0 && x <= THUMBNAIL_SIZE - 1) visit(row * THUMBNAIL_SIZE + column, x, y, u, v);
    }
  }
}

/** The variance that a linear change of brightness does not explain: 0 for the same picture, 1 for unrelated ones. */
function difference(first: Float64Array, second: Float64Array, placement: Placement): number {
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  forEachCommon(placement, (index, x, y) => {
    const a = luminanceAt(first, x, y);
    const b = second[index] ?? 0;
    count += 1;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  });
  if (count < MINIMUM_OVERLAP * THUMBNAIL_SIZE ** 2) return 1;
  const covariance = sumAB - (sumA * sumB) / count;
  const variances = (sumAA - sumA ** 2 / count) * (sumBB - sumB ** 2 / count);
  return variances > 0 ? 1 - covariance / Math.sqrt(variances) : 1;
}

/** Solves a symmetric, positive definite system by Cholesky's method. @returns null when it is singular */
function solve(matrix: readonly Float64Array[], vector: Float64Array): Float64Array | null {
  const size = vector.length;
  const lower = Array.from({ length: size }, () => new Float64Array(size));
  const cell = (rows: readonly Float64Array[], row: number, column: number) => rows[row]?.[column] ?? 0;
  const solution = Float64Array.from(vector);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = cell(matrix, row, column);
      for (let k = 0; k < column; k += 1) sum -= cell(lower, row, k) * cell(lower, column, k);
      if (row === column && sum <= 1e-9) return null;
      lower[row]?.set([row === column ? Math.sqrt(sum) : sum / cell(lower, column, column)], column);
    }
  }
  for (let row = 0; row < size; row += 1) {
    let sum = solution[row] ?? 0;
    for (let k = 0; k < row; k += 1) sum -= cell(lower, row, k) * (solution[k] ?? 0);
    solution[row] = sum / cell(lower, row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = solution[row] ?? 0;
    for (let k = row + 1; k < size; k += 1) sum -= cell(lower, k, row) * (solution[k] ?? 0);
    solution[row] = sum / cell(lower, row, row);
  }
  return solution;
}

/** One Gauss-Newton step towards the placement with the least difference. @returns null when there is none */
function improve(first: Float64Array, second: Float64Array, placement: Placement): Placement | null {
  const unknowns = 6;
  const matrix = Array.from({ length: unknowns }, () => new Float64Array(unknowns));
  const vector = new Float64Array(unknowns);
  const row = new Float64Array(unknowns);
  forEachCommon(placement, (index, x, y, u, v) => {
    const slopeX = (luminanceAt(first, x + 0.5, y) - luminanceAt(first, x - 0.5, y)) * THUMBNAIL_SIZE;
    const slopeY = (luminanceAt(first, x, y + 0.5) - luminanceAt(first, x, y - 0.5)) * THUMBNAIL_SIZE;
    row[0] = slopeX * u;
    row[1] = slopeX;
    row[2] = slopeY * v;
    row[3] = slopeY;
    row[4] = luminanceAt(first, x, y);
    row[5] = 1;
    const target = second[index] ?? 0;
    for (let i = 0; i < unknowns; i += 1) {
      const one = row[i] ?? 0;
      vector[i] = (vector[i] ?? 0) + one * target;
      const cells = matrix[i];
      if (cells === undefined) continue;
      for (let k = 0; k < unknowns; k += 1) cells[k] = (cells[k] ?? 0) + one * (row[k] ?? 0);
    }
  });
  // A picture with lines in one direction only leaves the others open.
  for (const [index, cells] of matrix.entries()) cells[index] = (cells[index] ?? 0) * 1.001 + 1e-6;
  const [scaleX = 0, shiftX = 0, scaleY = 0, shiftY = 0, gain = 0] = solve(matrix, vector) ?? [];
  if (gain < 0.2) return null;
  const step = (value: number) => clamp(value / gain, -0.04, 0.04);
  return {
    scaleX: clamp(placement.scaleX + step(scaleX), 1 / MAXIMUM_SCALE, MAXIMUM_SCALE),
    shiftX: clamp(placement.shiftX + step(shiftX), -MAXIMUM_SHIFT, MAXIMUM_SHIFT),
    scaleY: clamp(placement.scaleY + step(scaleY), 1 / MAXIMUM_SCALE, MAXIMUM_SCALE),
    shiftY: clamp(placement.shiftY + step(shiftY), -MAXIMUM_SHIFT, MAXIMUM_SHIFT),
  };
}

function isPartOf(first: Float64Array, second: Float64Array): boolean {
  let placement: Placement | null = { scaleX: 1, shiftX: 0, scaleY: 1, shiftY: 0 };
  let previous = 1;
  for (let step = 0; step < MAXIMUM_STEPS && placement !== null; step += 1) {
    const present = difference(first, second, placement);
    if (present <= MAXIMUM_DIFFERENCE) return true;
    if (present > previous * MINIMUM_PROGRESS) return false;
    previous = present;
    placement = improve(first, second, placement);
  }
  return false;
}

/**
 * Whether two thumbnails are of the same picture, also if one was recompressed, made brighter, or cropped by up to about
 * 5 % at each edge. Takes about 10 ms for different pictures.
 */
export function isSamePicture(first: Uint8Array, second: Uint8Array): boolean {
  const [one, other] = [blur(first), blur(second)];
  return isPartOf(one, other) || isPartOf(other, one);
}
