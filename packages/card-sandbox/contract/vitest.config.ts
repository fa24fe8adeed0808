import { defineConfig } from 'vitest/config';

// `npm run stripe:contract`: the checks at the sandbox and, if there is a key, at Stripe's test mode.
const key = process.env.STRIPE_TEST_SECRET_KEY ?? '';
if (key !== '' && !/^[sr]k_test_/.test(key)) {
  throw new Error('STRIPE_TEST_SECRET_KEY is not a key of test mode. Nothing was run.');
}

const project = (name: string, CONTRACT_STRIPE_KEY: string) => ({
  root: import.meta.dirname,
  test: { name, env: { CONTRACT_STRIPE_KEY }, fileParallelism: false, testTimeout: 180_000 },
});

/** Says at the end what was not run. */
const notRun = {
  onTestRunEnd: () => {
    process.stdout.write(
      "Stripe's test mode: not run. Set STRIPE_TEST_SECRET_KEY, and STRIPE_TEST_ACCOUNT for transfers.\n",
    );
  },
};

export default defineConfig({
  test: {
    projects: [project('card sandbox', ''), ...(key === '' ? [] : [project("Stripe's test mode", key)])],
    reporters: ['verbose', ...(key === '' ? [notRun] : [])],
  },
});
