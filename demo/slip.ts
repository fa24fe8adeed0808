import sharp from 'sharp';

/** The corners of the slip in its pictures, which have one camera position: from the top left clockwise, as fractions of the size. */
const corners = [
  [0.327, 0.367],
  [0.69, 0.389],
  [0.684, 0.63],
  [0.303, 0.606],
] as const;

/** The strokes of each letter of the codes, as points on a grid of 6 by 10. */
const strokes: Readonly<Record<string, string>> = {
  '3': '0,1 2,0 5,0.5 5,3.5 2,4.6 5,5.6 5.4,8.5 3,10 0,9',
  '4': '4,10 4,0 0,7 6,7',
  '6': '5,0 2,2.4 0.3,6 0.6,9 3,10 5.5,8.6 5.4,6 3,5 0.5,6.6',
  '7': '0,0.4 6,0 2,10',
  '9': '5.4,3.6 3,5 0.6,4 0.6,1.4 3,0 5.4,1.4 5.4,4 4.4,10',
  A: '0,10 3,0 6,10|1.2,6.6 4.9,6.4',
  C: '5.6,1.6 3.4,0 1,1.6 0,5 1,8.6 3.4,10 5.8,8.6',
  D: '0.4,0 0,10 3,9.6 5.6,7 5.6,3.4 3.4,0.6 0.4,0',
  E: '5.4,0 0.3,0.3 0,10 5.6,9.7|0.2,4.8 4.6,4.6',
  F: '5.6,0 0.4,0.3 0,10|0.2,4.9 4.6,4.7',
  G: '5.6,1.6 3.4,0 1,1.6 0,5 1,8.8 3.4,10 5.6,8.8 5.7,5.6 3.4,5.6',
  H: '0,0 0.2,10|5.8,0 5.6,10|0.2,5.2 5.7,4.9',
  J: '5,0 5,4 5,7.6 3.6,9.8 1.4,9.6 0.2,7.8',
  K: '0,0 0.2,10|5.4,0 0.4,5.4 5.8,10',
  M: '0,10 0.4,0 3,6 5.6,0 6,10',
  N: '0,10 0.2,0 5.6,10 5.8,0',
  P: '0.2,10 0,0 3.6,0.2 5.6,2 4.8,4.4 0.2,5.2',
  Q: '3,0 0.6,1.8 0,5.4 1.2,9 3.4,10 5.4,8 6,4.6 5,1.4 3,0|3.6,7.4 6.2,10.6',
  R: '0.2,10 0,0 3.6,0.2 5.6,2 4.8,4.4 0.2,5.2|2.4,5 5.8,10',
  T: '0,0.3 6,0|3,0.2 2.8,10',
  U: '0,0 0.2,7.4 1.8,9.8 4,9.8 5.6,7.4 5.8,0',
  V: '0,0 3,10 6,0',
  W: '0,0 1.4,10 3,3.4 4.6,10 6,0',
  X: '0,0 6,10|5.8,0 0.2,10',
  Y: '0,0 3,4.8 6,0|3,4.8 2.8,10',
};

/** Where a point of the slip (0 to 1, across and down) is in the picture. */
function onSlip(across: number, down: number): [x: number, y: number] {
  const [a, b, c, d] = corners;
  const at = (axis: 0 | 1) =>
    (a[axis] * (1 - across) + b[axis] * across) * (1 - down) +
    (d[axis] * (1 - across) + c[axis] * across) * down;
  return [at(0), at(1)];
}

/** A path through points, round at those between the first and the last if it is a curve. */
function pathThrough(points: readonly (readonly [x: number, y: number])[]): string {
  const text = points.map((point) => point.map((value) => value.toFixed(1)).join(' '));
  if (points.length < 6) return `M${text.join('L')}`;
  const curves = points.slice(1, -2).map(([x, y], index) => {
    const [nextX, nextY] = points[index + 2] ?? [x, y];
    return `Q${text[index + 1]} ${((x + nextX) / 2).toFixed(1)} ${((y + nextY) / 2).toFixed(1)}`;
  });
  return `M${text[0]}${curves.join('')}Q${text.at(-2)} ${text.at(-1)}`;
}

/**
 * Writes a laptop's code by hand on the slip of paper in a picture of the view `slip`.
 * @throws Error for a code with a letter that no code has
 */
export async function writeOnSlip(picture: Buffer, code: string): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const step = 0.8 / code.length;
  const paths = [...code].flatMap((letter, index) => {
    const drawn = strokes[letter];
    if (drawn === undefined) throw new Error(`No code has the letter ${letter}.`);
    // Handwriting is not even.
    const [lift, lean] = [((index * 7) % 5) * 0.012, ((index * 3) % 4) * 0.03 - 0.04];
    return drawn.split('|').map((stroke) =>
      pathThrough(
        stroke.split(' ').map((point) => {
          const [x = 0, y = 0] = point.split(',').map(Number);
          const across = 0.1 + step * (index + 0.12 + (x / 6) * 0.72) - (y / 10) * lean * step;
          const [left, top] = onSlip(across, 0.27 + lift + (y / 10) * 0.42);
          return [left * width, top * height] as const;
        }),
      ),
    );
  });
  const ink = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="none" stroke="#25306b" stroke-opacity=".88" stroke-width="${width * 0.0052}" stroke-linecap="round" stroke-linejoin="round"><path d="${paths.join('')}"/></g></svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(ink), blend: 'multiply' }])
    .webp({ quality: 84 })
    .toBuffer();
}
