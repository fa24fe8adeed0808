import fc from 'fast-check';

// A setup file of vitest. Property tests (fast-check) draw the same values in each run of `npm test`: no result depends on a
// draw. Long runs (`TORTURE=1`) draw other values each time and print their seed, which `SEED` repeats.

/** The seed of `npm test`. */
const FIXED_SEED = 1;

const { SEED, TORTURE } = process.env;
export const seed =
  SEED !== undefined ? Number(SEED) : TORTURE === '1' ? Math.floor(Math.random() * 2 ** 31) : FIXED_SEED;

fc.configureGlobal({ seed });
