import fc from 'fast-check';

// A setup file of vitest. Property tests (fast-check) draw the same values in each run of `npm test`, so that no result depends
// on a draw. With LONG_SECONDS they draw from a random seed. A failure prints its seed, which SEED repeats.

const { LONG_SECONDS, SEED } = process.env;

/** How long each property test that supports long runs goes on, in seconds; null in `npm test`. */
export const longSeconds: number | null = LONG_SECONDS === undefined ? null : Number(LONG_SECONDS);

/** The time limit of a test that uses {@link propertySeeds}, in milliseconds. It only ends a test that hangs. */
export const propertyTimeoutMs = ((longSeconds ?? 0) + 280) * 1000;

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

fc.configureGlobal({ seed: SEED !== undefined ? Number(SEED) : longSeconds === null ? 1 : randomSeed() });

/**
 * The seeds with which a property test runs: those of `npm test`, or in a long run a random one and those that follow it, until
 * the time is over.
 * @param fixed one seed, and each with which a run ever failed
 */
export function* propertySeeds(fixed: readonly number[]): Generator<number> {
  if (SEED !== undefined) {
    yield Number(SEED);
  } else if (longSeconds === null) {
    yield* fixed;
  } else {
    const end = performance.now() + longSeconds * 1000;
    for (let seed = randomSeed(); performance.now() < end; seed += 1) {
      process.stdout.write(`Seed ${seed}\n`);
      yield seed;
    }
  }
}
