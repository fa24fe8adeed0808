import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { avifBomb, codecProcesses, residentBytes, withScans } from './hostile-samples.ts';
import { halves, pngClaiming, problemOf, type RunningHost, startHost } from './photo-samples.ts';

const MB = 1024 * 1024;

/** Starting a process or decoding 50 megapixels takes long on a machine that does much else. */
const SLOW = { timeout: 60_000 };

/** Decodes whatever it gets, so that only the process's own bounds are left. */
const unchecked = { avifPixels: 50_000_000, pixelsPerByte: 1_000_000_000 };

const photo = () => halves(400, 300).jpeg().toBuffer();

describe('told by its headers', () => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test('an AVIF of 50 megapixels is refused', async () => {
    const refused = await host.refuse(await avifBomb(16));
    expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    expect(refused.detail).toBe(
      'An AVIF photo can have up to 25 megapixels; this one has 8152 × 6100 pixels.',
    );
  });

  test('a JPEG of 700 scans is refused', async () => {
    const progressive = await halves(400, 300).jpeg({ progressive: true }).toBuffer();
    const refused = await host.refuse(withScans(progressive, 700));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(refused.detail).toContain('up to 64 scans');
  });

  test('many pixels from next to no bytes are refused', async () => {
    const refused = await host.refuse(await pngClaiming(7000, 7000));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(refused.detail).toContain('too small to be a photo of 7000 × 7000 pixels');
  });
});

test(
  'two AVIF bombs at once: all processes stay within the memory of one, and each is answered',
  SLOW,
  async () => {
    await using host = await startHost({ limits: unchecked });
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      const decoding = codecProcesses().reduce((sum, pid) => sum + residentBytes(pid), 0);
      most = Math.max(most, decoding + process.memoryUsage.rss() - before);
    }, 10);
    const bombs = [await avifBomb(60_000), await avifBomb(60_000)];
    const answers = await Promise.all(
      bombs.map(async (bomb, index) => host.upload(bomb, 'a.avif', 'image/avif', `seller-${index}`)),
    );
    clearInterval(watch);
    for (const answer of answers) {
      expect(await problemOf(answer)).toMatchObject({ status: 413, code: 'too_large' });
    }
    expect(most).toBeGreaterThan(400 * MB);
    expect(most).toBeLessThan(900 * MB);
    await host.take(await photo());
  },
);

test('a file that keeps the decoder busy is ended by its CPU time', async () => {
  await using host = await startHost({ budget: { cpuMs: 20 } });
  expect(await host.refuse(await halves(4000, 3000).png().toBuffer())).toMatchObject({
    status: 422,
    code: 'invalid_input',
    detail: expect.stringContaining('takes too long to decode'),
  });
});

describe('a process that', () => {
  let host: RunningHost;
  let arriving: () => void = () => undefined;
  beforeAll(async () => {
    // The second note comes once the upload is recorded; the first, right before it is given to the process.
    host = await startHost({ budget: { timeoutMs: 4_000 }, arriving: async () => arriving() });
  });
  afterAll(() => host[Symbol.asyncDispose]());

  /** The process that decodes uploads, stopped, and an upload that waits for it. */
  async function stopped(): Promise<{ pid: number; underWay: Promise<Response> }> {
    await host.take(await photo());
    const [pid] = codecProcesses();
    if (pid === undefined) throw new Error('No process decodes photos');
    process.kill(pid, 'SIGSTOP');
    const received = Promise.withResolvers<void>();
    arriving = received.resolve;
    const underWay = host.upload(await photo());
    await received.promise;
    return { pid, underWay };
  }

  test('is killed while it decodes: the seller is told, and the next photo is taken', SLOW, async () => {
    const { pid, underWay } = await stopped();
    const waiting = host.upload(await photo());
    process.kill(pid, 'SIGKILL');
    const answer = await underWay;
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await problemOf(answer)).toMatchObject({
      status: 503,
      code: 'busy',
      detail:
        'The photo could not be processed just now and was not kept. Please try again in a few seconds.',
    });
    expect((await waiting).status).toBe(200);
  });

  test('crashes ends no more than its photo', SLOW, async () => {
    const { pid, underWay } = await stopped();
    process.kill(pid, 'SIGSEGV');
    process.kill(pid, 'SIGCONT');
    expect(await problemOf(await underWay)).toMatchObject({ status: 422, code: 'invalid_input' });
    await host.take(await photo());
  });

  test('does not come to an end is killed after its time', SLOW, async () => {
    const { pid, underWay } = await stopped();
    expect(await problemOf(await underWay)).toMatchObject({
      status: 422,
      code: 'invalid_input',
      detail: expect.stringContaining('takes too long to decode'),
    });
    expect(codecProcesses()).not.toContain(pid);
    await host.take(await photo());
  });

  test('makes variants is started again as well', async () => {
    const path = await host.take(await photo());
    const [uploads] = codecProcesses();
    await host.variant(path, 320, 'webp');
    const variants = codecProcesses().find((pid) => pid !== uploads);
    if (variants === undefined) throw new Error('Variants have a process of their own');
    process.kill(variants, 'SIGKILL');
    const again = () => host.variant(path, 320, 'avif');
    // The first request may still meet the dead one.
    await expect
      .poll(() =>
        again().then(
          ({ length }) => length,
          () => 0,
        ),
      )
      .toBeGreaterThan(0);
    expect(codecProcesses()).not.toContain(variants);
  });

  test('belongs to a host ends with it', async () => {
    expect(codecProcesses()).not.toEqual([]);
    await host.app.close();
    expect(codecProcesses()).toEqual([]);
  });
});
