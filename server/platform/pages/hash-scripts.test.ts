import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashScripts } from './hash-scripts.ts';

const sourceOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('allows the scripts that bear the nonce, and leaves no nonce in the document', () => {
  const { html, sources } = hashScripts(
    '<head><link nonce="n1" rel="preload"/><script nonce="n1">first("é")</script></head>' +
      '<script async="" nonce="n1" src="/a.js"></script><script nonce="n1" defer="">second()</script>',
    'n1',
  );
  expect(sources).toEqual([sourceOf('first("é")'), sourceOf('second()')]);
  expect(html).toBe(
    '<head><link rel="preload"/><script>first("é")</script></head>' +
      '<script async="" src="/a.js"></script><script defer="">second()</script>',
  );
});

test('does not allow a script without the nonce', () => {
  const injected = '<script>steal()</script><script nonce="n2">steal()</script><b onclick="steal()">';
  const { html, sources } = hashScripts(`${injected}<script nonce="n1">own()</script>`, 'n1');
  expect(sources).toEqual([sourceOf('own()')]);
  expect(html).toContain(injected);
});

test('a script that occurs twice has one source', () => {
  expect(hashScripts('<script nonce="n1">a</script>'.repeat(3), 'n1').sources).toEqual([sourceOf('a')]);
});
