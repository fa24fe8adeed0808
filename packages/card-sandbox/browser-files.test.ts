import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { startTestSandbox } from './testing/index.ts';

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
