import { defineConfig } from 'vitest/config';

// Runs the tests that `npm run mutate` names, for each mutant.
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(',') ?? [],
    setupFiles: ['tests/harness/platform/property-seeds.ts'],
  },
});
