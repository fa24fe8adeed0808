import { defineConfig } from 'vitest/config';

// Runs the tests that `npm run mutate` names, for each mutant.
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    setupFiles: ['tests/harness/platform/property-seeds.ts'],
    // Only ends what hangs, as in the configuration of all tests.
    testTimeout: 120_000,
  },
});
