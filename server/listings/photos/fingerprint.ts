/** The width and the height of a thumbnail, in pixels. Each has one byte of luminance; the picture fills it. */
export const THUMBNAIL_SIZE = 64;

/** The frequencies per axis that a fingerprint describes. */
const FREQUENCIES = 8;

/** The least standard deviation of luminance. A plainer picture, such as a white wall, resembles all others of its kind. */
const MINIMUM_CONTRAST = 6;

/** The part of the picture at each edge that the second fingerprint leaves out. */
const INSET = 0.04;

/** `cosines[frequency * THUMBNAIL_SIZE + position]` of the discrete cosine transform. */
const cosines = Float64Array.from({ length: (FREQUENCIES + 1) * THUMBNAIL_SIZE }, (_, index) => {
  const frequency = Math.floor(index / THUMBNAIL_SIZE);
  return Math.cos((Math.PI * frequency * ((index % THUMBNAIL_SIZE) + 0.5)) / THUMBNAIL_SIZE);
});

/** The brightness between the pixels of a thumbnail, interpolated; outside of it that of its edge. */
export function luminanceAt(thumbnail: ArrayLike<number>, x: number, y: number): number {
  // Called a million times per comparison, so without temporary objects.
  const last = THUMBNAIL_SIZE - 1;
  const left = Math.min(last, Math.max(0, x));
  const top = Math.min(last, Math.max(0, y));
  const column = Math.floor(left);
  const row = Math.floor(top);
  const index = row * THUMBNAIL_SIZE + column;
  const right = column < last ? 1 : 0;
  const below = row < last ? THUMBNAIL_SIZE : 0;
  const upper = thumbnail[index] ?? 0;
  const lower = thumbnail[index + below] ?? 0;
  const first = upper + ((thumbnail[index + right] ?? 0) - upper) * (left - column);
  const second = lower + ((thumbnail[index + below + right] ?? 0) - lower) * (left - column);
  return first + (second - first) * (top - row);
}

/** Whether a picture has too little contrast to be recognized. */
export function isPlain(thumbnail: Uint8Array): boolean {
  const mean = thumbnail.reduce((sum, value) => sum + value, 0) / thumbnail.length;
  const variance = thumbnail.reduce((sum, value) => sum + (value - mean) ** 2, 0) / thumbnail.length;
  return Math.sqrt(variance) < MINIMUM_CONTRAST;
}

function coefficient(pixels: Float64Array, horizontal: number, vertical: number): number {
  let sum = 0;
  for (let y = 0; y < THUMBNAIL_SIZE; y += 1) {
    let row = 0;
    for (let x = 0; x < THUMBNAIL_SIZE; x += 1) {
      row += (pixels[y * THUMBNAIL_SIZE + x] ?? 0) * (cosines[horizontal * THUMBNAIL_SIZE + x] ?? 0);
    }
    sum += row * (cosines[vertical * THUMBNAIL_SIZE + y] ?? 0);
  }
  return sum;
}

/** The signs of the 64 lowest frequencies about their median (pHash), without the mean brightness. */
function hashOf(pixels: Float64Array): bigint {
  const coefficients: number[] = [];
  for (let vertical = 0; vertical < FREQUENCIES; vertical += 1) {
    for (let horizontal = 0; horizontal < FREQUENCIES; horizontal += 1) {
      const isMean = horizontal === 0 && vertical === 0;
      coefficients.push(coefficient(pixels, isMean ? FREQUENCIES : horizontal, vertical));
    }
  }
  const sorted = coefficients.toSorted((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  // Every fourth bit belongs to the same quarter, so that each quarter has low and high frequencies.
  return coefficients.reduce(
    (hash, value, index) =>
      value > median ? hash | (1n << BigInt((index % 4) * 16 + Math.floor(index / 4))) : hash,
    0n,
  );
}

/** The two fingerprints of a picture, of 64 bits each: of the whole, and without its edges. */
export function fingerprintsOf(thumbnail: Uint8Array): bigint[] {
  const withoutEdges = Float64Array.from({ length: THUMBNAIL_SIZE ** 2 }, (_, index) => {
    const place = (pixel: number) => (pixel + 0.5) * (1 - 2 * INSET) + INSET * THUMBNAIL_SIZE - 0.5;
    return luminanceAt(thumbnail, place(index % THUMBNAIL_SIZE), place(Math.floor(index / THUMBNAIL_SIZE)));
  });
  return [...new Set([hashOf(Float64Array.from(thumbnail)), hashOf(withoutEdges)])];
}

/** The values of each quarter of a fingerprint that differ from it in one bit at most, for an index of quarters. */
export function nearbyQuarters(fingerprint: bigint): [number[], number[], number[], number[]] {
  const near = (quarter: bigint) => {
    const value = Number((fingerprint >> (quarter * 16n)) & 0xffffn);
    return [value, ...Array.from({ length: 16 }, (_, bit) => value ^ (1 << bit))];
  };
  return [near(0n), near(1n), near(2n), near(3n)];
}
