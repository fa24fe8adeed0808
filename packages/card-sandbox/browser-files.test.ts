import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing.ts';

test('shows payments on the dashboard, with descriptions escaped', async () => {
  const { origin, stripe } = await startTestSandbox();
  await stripe.paymentIntents.create({
    amount: 54_999,
    currency: 'usd',
    description: '<img src=x onerror=alert(1)> & "co"',
    payment_method: 'pm_card_visa',
    confirm: true,
  });
  const page = await (await fetch(origin)).text();
  expect(page).toContain('$549.99');
  expect(page).toContain('visa 4242');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;');
  expect(page).not.toContain('<img');
});

test('serves stripe.js as one classic script without imports and types', async () => {
  const { origin } = await startTestSandbox();
  const answer = await fetch(`${origin}/stripe.js`);
  const script = await answer.text();
  expect(answer.headers.get('content-type')).toContain('javascript');
  expect(() => new Script(script)).not.toThrow();
  expect(script).not.toMatch(/^\s*(import|export)\b/m);
});

test('allows any page to embed the frames, which run only their own scripts', async () => {
  const { origin } = await startTestSandbox();
  for (const name of ['card', 'authentication']) {
    const answer = await fetch(`${origin}/frames/${name}`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toContain("script-src 'self';");
    const page = await answer.text();
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await fetch(origin + path)).status).toBe(200);
    }
  }
});
