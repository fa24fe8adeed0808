import { defineConfig } from 'vitest/config';

// The tests that `npm run mutate` runs for each mutant: those of the rules, which need no database and no server.
export default defineConfig({
  test: {
    include: [
      'contract/order-states.test.ts',
      'server/{ledger,orders,complaints,payouts,payments,accounting,receipts}/*{rules,states}.test.ts',
    ],
    setupFiles: ['tests/harness/property-seeds.ts'],
  },
});
