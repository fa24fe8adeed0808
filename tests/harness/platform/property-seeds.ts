import fc from 'fast-check';
import { test } from 'vitest';

// A setup file of vitest. Property tests (fast-check) draw the same values in each run of `npm test`, so that no result depends
// on a draw. With LONG_SECONDS they draw from a random seed. A failure prints its seed, which SEED repeats.

const { ALL_SEEDS, LONG_SECONDS, SEED } = process.env;

const longSeconds = LONG_SECONDS === undefined ? null : Number(LONG_SECONDS);

/** Only ends a test that hangs. */
const TIMEOUT_MS = 300_000;

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

fc.configureGlobal({ seed: SEED !== undefined ? Number(SEED) : longSeconds === null ? 1 : randomSeed() });

/**
 * Declares a property test that takes long: a test for each seed, in `npm run test:all` also for each further one. With LONG_SECONDS it is one test that goes on for so long, with a
 * random seed and those that follow it.
 * @param seeds one or two, and each with which a run ever failed
 * @param furtherSeeds only for `npm run test:all`
 */
export function testSeeds(
  name: string,
  seeds: readonly number[],
  run: (seed: number) => Promise<void>,
  furtherSeeds: readonly number[] = [],
): void {
  if (longSeconds === null || SEED !== undefined) {
    const listed = ALL_SEEDS === undefined ? seeds : [...seeds, ...furtherSeeds];
    for (const seed of SEED === undefined ? listed : [Number(SEED)]) {
      test(`${name} (seed ${seed})`, () => run(seed), TIMEOUT_MS);
    }
    return;
  }
  const goOn = async () => {
    const end = performance.now() + longSeconds * 1000;
    for (let seed = randomSeed(); performance.now() < end; seed += 1) {
      process.stdout.write(`Seed ${seed}\n`);
      await run(seed);
    }
  };
  test(name, goOn, longSeconds * 1000 + TIMEOUT_MS);
}
