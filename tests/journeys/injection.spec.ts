import { createHash } from 'node:crypto';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { bookLaptop, createLaptop, newEmail, register, startSession } from './actions.ts';
import { publicPages } from './public-pages.ts';

/** Parses a content security policy. @returns the sources of each directive */
function policyOf(header: string | undefined): Map<string, string[]> {
  const directives = (header ?? '').split('; ').map((directive) => directive.split(' '));
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]));
}

/** The scripts in a document that run from it. */
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\s(?:src|type="application\/(?:ld\+)?json")/.test(attributes))
    .map(([, , script = '']) => script);

const cards = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 1}`;
const pages = [...publicPages, '/dashboard/account', '/x'];

test('every page has security headers that allow only the shop’s scripts and the card processor’s frames', {
  tag: '@long',
}, async ({ request }) => {
  const nonces = new Set<string>();
  let hashed = 0;
  for (const path of pages) {
    const response = await request.get(path);
    const headers = response.headers();
    const policy = policyOf(headers['content-security-policy']);
    const scripts = policy.get('script-src') ?? [];
    const html = await response.text();
    const [nonce] = scripts.flatMap((source) => /^'nonce-(.{20,})'$/.exec(source)?.[1] ?? []);
    if (nonce === undefined) {
      // A page that is the same for everybody allows its scripts by their hashes.
      const hashes = inlineScripts(html).map(
        (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      );
      expect(scripts, path).toEqual(["'self'", ...new Set(hashes), cards]);
      expect(html, path).not.toMatch(/nonce="[^"]/);
      hashed += 1;
    } else {
      expect(nonces.has(nonce), path).toBe(false);
      nonces.add(nonce);
      expect(scripts, path).toEqual(["'self'", `'nonce-${nonce}'`, cards]);
      for (const [script] of html.matchAll(/<script\b[^>]*>/g)) {
        expect(script, path).toMatch(/nonce="|type="application\/(ld\+)?json"/);
      }
    }
    expect(policy.get('frame-src'), path).toEqual([cards]);
    expect(policy.get('default-src'), path).toEqual(["'self'"]);
    expect(policy.get('object-src'), path).toEqual(["'none'"]);
    expect(policy.get('base-uri'), path).toEqual(["'none'"]);
    expect(policy.get('form-action'), path).toEqual(["'self'"]);
    expect(policy.get('frame-ancestors'), path).toEqual(["'none'"]);
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
    expect(headers['set-cookie'], path).toBeUndefined();
    expect(headers['x-powered-by'] ?? headers.server, path).toBeUndefined();
  }
  expect(nonces.size).toBeGreaterThan(0);
  expect(hashed).toBeGreaterThan(0);
});

test('names of laptops with HTML, scripts or formulas are shown as text on every page', async ({
  page: seller,
  openVisitor,
}) => {
  const serial = Date.now();
  const evil = `</script><img src=x onerror=alert(1)>${serial}`;
  const formula = `=HYPERLINK("http://evil.example","Sam ${serial}")`;
  const dialogs: string[] = [];
  seller.on('dialog', (dialog) => dialogs.push(dialog.message()));
  const session = await startSession(seller, { name: 'Sam Seller', email: newEmail('evil'), role: 'Seller' });
  await createLaptop(session, { name: evil });
  await createLaptop(session, { name: formula });
  await seller.goto('/dashboard/myProducts');
  const row = seller.getByRole('row').filter({ hasText: evil });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: /^Advertise/ }).click();
  await expect(seller.getByText(`The advertisement of ${evil} will show in Homepage`)).toBeVisible();

  const buyer = await openVisitor();
  buyer.on('dialog', (dialog) => dialogs.push(dialog.message()));
  await buyer.goto('/');
  await expect(buyer.getByText(evil).first()).toBeVisible();
  await startSession(buyer, { name: 'Bea Buyer', email: newEmail('bea'), role: 'Buyer' });
  await buyer.goto('/category/HP');
  await expect(buyer.getByRole('article').filter({ hasText: evil })).toBeVisible();
  await expect(buyer.getByRole('article').filter({ hasText: formula })).toBeVisible();
  await bookLaptop(buyer, evil);
  await buyer.goto('/dashboard/myOrders');
  await expect(buyer.getByRole('row').filter({ hasText: evil })).toBeVisible();
  await seller.goto('/dashboard/myBuyers');
  await expect(seller.getByText(evil).first()).toBeVisible();
  expect(await seller.locator('[onerror], [onmouseover]').count()).toBe(0);
  expect(dialogs).toEqual([]);
});

test('tokens are stored in localStorage, not in cookies, and removed at sign-out', async ({
  page,
  context,
}) => {
  await register(page, { name: 'Kim Kept', email: newEmail('kim'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  // The one that it has names a process of the shop.
  expect((await context.cookies()).filter(({ name }) => name !== 'recent_change')).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toContain('coomercioToken');
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('coomercioToken'))).toBeNull();
});
