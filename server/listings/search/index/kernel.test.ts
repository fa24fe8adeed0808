import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { compiledKernel, createKernel, type Kernel } from './kernel.ts';

test('The bytes are the compiled source', async () => {
  const source = readFileSync(new URL('./kernel.wat', import.meta.url), 'utf8');
  const compiler = await wabt();
  using _ = { [Symbol.dispose]: () => parsed.destroy() };
  const parsed = compiler.parseWat('kernel.wat', source, { simd: true });
  expect(Buffer.from(parsed.toBinary({}).buffer).toString('base64')).toBe(compiledKernel);
});

/** The same functions in plain JavaScript. */
function plainKernel(bytes: Uint8Array): Kernel {
  const combine =
    (operation: (one: number, other: number) => number): Kernel['and'] =>
    (target, one, other, length) => {
      for (let at = 0; at < length; at += 1) {
        bytes[target + at] = operation(bytes[one + at] ?? 0, bytes[other + at] ?? 0);
      }
    };
  const view = new DataView(bytes.buffer);
  return {
    and: combine((one, other) => one & other),
    or: combine((one, other) => one | other),
    andNot: combine((one, other) => one & ~other),
    countAnd(one, other, length) {
      let count = 0;
      for (let at = 0; at < length; at += 1) {
        const common = (bytes[one + at] ?? 0) & (bytes[other + at] ?? 0);
        count += [...common.toString(2)].filter((bit) => bit === '1').length;
      }
      return count;
    },
    between(target, column, low, high, length) {
      for (let row = 0; row < length * 8; row += 1) {
        const value = view.getUint32(column + row * 4, true);
        const byte = target + (row >>> 3);
        if ((row & 7) === 0) bytes[byte] = 0;
        if (value >= low && value <= high) bytes[byte] = (bytes[byte] ?? 0) | (1 << (row & 7));
      }
    },
  };
}

const MEMORY_BYTES = 65_536;
/** Three bitmaps of 512 bytes, then a column of 4096 values. */
const BITMAP_BYTES = 512;
const COLUMN = 3 * BITMAP_BYTES;

test('The kernel computes the same as plain JavaScript', () => {
  const bitmap = fc.constantFrom(0, 1, 2).map((index) => index * BITMAP_BYTES);
  const length = fc.integer({ min: 0, max: BITMAP_BYTES / 16 }).map((blocks) => blocks * 16);
  // Values at the ends of the range and, by masking, many equal ones.
  const bound = fc.oneof(
    fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff),
    fc.integer({ min: 0, max: 0xffff }),
  );
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 64, maxLength: 4096 }),
      fc.constantFrom('and', 'or', 'andNot', 'countAnd', 'between'),
      fc.tuple(bitmap, bitmap, bitmap),
      length,
      fc.tuple(bound, bound),
      (content, operation, [target, one, other], size, [low, high]) => {
        const memory = new WebAssembly.Memory({ initial: 1 });
        const actual = new Uint8Array(memory.buffer);
        for (let at = 0; at < MEMORY_BYTES; at += 1)
          actual[at] = content[(at * 7 + (at >>> 9)) % content.length] ?? 0;
        const expected = actual.slice();
        const run = (kernel: Kernel) => {
          if (operation === 'countAnd') return kernel.countAnd(one, other, size);
          if (operation === 'between') return kernel.between(target, COLUMN, low, high, size);
          return kernel[operation](target, one, other, size);
        };
        expect(run(createKernel(memory))).toBe(run(plainKernel(expected)));
        expect(Buffer.compare(actual, expected)).toBe(0);
      },
    ),
    { numRuns: 500 },
  );
});
