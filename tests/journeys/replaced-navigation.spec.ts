import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { portOf } from '#tests/harness/platform/ports.ts';

test('following a link while another page’s data arrive raises no exception', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/blog');
  const shop = new URL(page.url()).origin;
  const begun = Promise.withResolvers<void>();
  // Responds like the shop, but never ends the response.
  const unending = createServer(async (request, response) => {
    const complete = await fetch(new URL(request.url ?? '/', shop));
    response.writeHead(complete.status, { 'content-type': 'text/x-script', 'x-remix-response': 'yes' });
    response.write(await complete.text(), () => begun.resolve());
  });
  unending.listen(0, '127.0.0.1');
  await once(unending, 'listening');
  const released = Promise.withResolvers<void>();
  try {
    await page.route('**/*.data?*', (route) => {
      const { pathname, search } = new URL(route.request().url());
      return route.continue({ url: `http://127.0.0.1:${portOf(unending)}${pathname}${search}` });
    });
    // The navigation stays incomplete until the page's scripts arrive.
    await page.route('**/assets/*.js', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.getByRole('banner').getByRole('link', { name: 'Coomercio' }).click();
    await begun.promise;
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    released.resolve();
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  } finally {
    released.resolve();
    unending.closeAllConnections();
    unending.close();
  }
});
