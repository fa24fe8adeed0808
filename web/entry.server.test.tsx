import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import renderDocument, { createPageHandler, handleError } from './entry.server.tsx';
import { buildOfOnePage } from './testing/build-of-one-page.ts';

function FailingSection(): never {
  throw new Error('the section cannot be rendered');
}

function Page() {
  return (
    <main>
      <h1>Laptops</h1>
      <Suspense fallback={<p>Loading …</p>}>
        <FailingSection />
      </Suspense>
    </main>
  );
}

const build = buildOfOnePage({ default: renderDocument, handleError }, { default: Page });

test.each([true, false])('a section that fails is reported; buffered: %s', async (isBuffered) => {
  const errors: unknown[] = [];
  const handle = createPageHandler(build, 'production');
  const response = await handle(new Request('https://shop.example/'), {
    nonce: '',
    origin: 'https://shop.example',
    shop: defaultShopSettings,
    isBuffered,
    report: (error) => errors.push(error),
    callApi: () => Promise.reject(new Error('No call is expected.')),
  });
  expect(await response.text()).toContain('Laptops');
  expect(errors).toEqual([new Error('the section cannot be rendered')]);
});

test.each(['/nothing', '/nothing%0A'])(
  'a request that no route has is not reported as a failure: %s',
  async (path) => {
    const errors: unknown[] = [];
    const handle = createPageHandler(build, 'production');
    const response = await handle(new Request(`https://shop.example${path}`), {
      nonce: '',
      origin: 'https://shop.example',
      shop: defaultShopSettings,
      isBuffered: true,
      report: (error) => errors.push(error),
      callApi: () => Promise.reject(new Error('No call is expected.')),
    });
    await response.text();
    expect([response.status, errors]).toEqual([404, []]);
  },
);
