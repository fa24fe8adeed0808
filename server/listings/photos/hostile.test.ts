import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { avifBomb, codecProcesses, residentBytes, withScans } from './testing/hostile-samples.ts';
import { halves, pngClaiming, problemOf, type RunningHost, startHost } from './testing/photo-samples.ts';

const MB = 1024 * 1024;

/** Starting a process or decoding 50 megapixels is slow on a busy machine. */
const SLOW = { timeout: 240_000 };

/** Limits that accept any header, so that only those of the process remain. */
const unlimitedHeaders = { avifPixels: 50_000_000, pixelsPerByte: 1_000_000_000 };

const photo = () => halves(400, 300).jpeg().toBuffer();

describe('refused by its headers', () => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test('an AVIF of 50 megapixels', async () => {
    const refused = await host.uploadRefused(await avifBomb(16));
    expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    expect(refused.detail).toBe(
      'An AVIF photo can have up to 25 megapixels; this one has 8152 × 6100 pixels.',
    );
  });

  test('a JPEG of 700 scans', async () => {
    const progressive = await halves(400, 300).jpeg({ progressive: true }).toBuffer();
    const refused = await host.uploadRefused(withScans(progressive, 700));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(refused.detail).toContain('up to 64 scans');
  });

  test('an image with too many pixels per byte', async () => {
    const refused = await host.uploadRefused(await pngClaiming(7000, 7000));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(refused.detail).toContain('too small to be a photo of 7000 × 7000 pixels');
  });
});

test(
  'decodes two AVIF bombs one after the other, within the memory limit of one, and refuses both',
  SLOW,
  async () => {
    // Half of what photos may take, so that it is reached sooner.
    const memoryBytes = 320 * MB;
    await using host = await startHost({ limits: unlimitedHeaders, budget: { memoryBytes } });
    const before = process.memoryUsage.rss();
    let peak = 0;
    const watch = setInterval(() => {
      const decoding = codecProcesses().reduce((sum, pid) => sum + residentBytes(pid), 0);
      peak = Math.max(peak, decoding + process.memoryUsage.rss() - before);
    }, 10);
    const bombs = [await avifBomb(60_000), await avifBomb(60_000)];
    const answers = await Promise.all(
      bombs.map(async (bomb, index) => host.upload(bomb, 'a.avif', 'image/avif', `seller-${index}`)),
    );
    clearInterval(watch);
    for (const answer of answers) {
      expect(await problemOf(answer)).toMatchObject({ status: 413, code: 'too_large' });
    }
    expect(peak).toBeGreaterThan(200 * MB);
    expect(peak).toBeLessThan(500 * MB);
    await host.uploadAccepted(await photo());
  },
);

test('kills a decoder that exceeds its CPU time and refuses the file', async () => {
  await using host = await startHost({ budget: { cpuMs: 20 } });
  expect(await host.uploadRefused(await halves(2000, 1500).png().toBuffer())).toMatchObject({
    status: 422,
    code: 'invalid_input',
    detail: expect.stringContaining('takes too long to decode'),
  });
});

describe('codec process', () => {
  let host: RunningHost;
  let onRegister: () => void = () => undefined;
  beforeAll(async () => {
    // Called right before the upload is sent to the process, and again once it is stored.
    host = await startHost({ budget: { timeoutMs: 8_000 }, registerUpload: async () => onRegister() });
  });
  afterAll(() => host[Symbol.asyncDispose]());

  /** Stops the process that decodes uploads, and starts an upload that waits for it. */
  async function uploadToStoppedProcess(): Promise<{ pid: number; pending: Promise<Response> }> {
    await host.uploadAccepted(await photo());
    // A process that crashed may take a while to end.
    await expect.poll(() => codecProcesses()).toHaveLength(1);
    const [pid] = codecProcesses();
    if (pid === undefined) throw new Error('No process decodes photos');
    process.kill(pid, 'SIGSTOP');
    const received = Promise.withResolvers<void>();
    onRegister = received.resolve;
    const pending = host.upload(await photo());
    await received.promise;
    return { pid, pending };
  }

  test('killed while it decodes: refuses this upload and accepts the next', SLOW, async () => {
    const { pid, pending } = await uploadToStoppedProcess();
    const waiting = host.upload(await photo());
    process.kill(pid, 'SIGKILL');
    const answer = await pending;
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await problemOf(answer)).toMatchObject({
      status: 503,
      code: 'busy',
      detail:
        'The photo could not be processed just now and was not kept. Please try again in a few seconds.',
    });
    expect((await waiting).status).toBe(200);
  });

  test('crashed: refuses this upload and accepts the next', SLOW, async () => {
    const { pid, pending } = await uploadToStoppedProcess();
    const waiting = host.upload(await photo());
    process.kill(pid, 'SIGSEGV');
    process.kill(pid, 'SIGCONT');
    expect(await problemOf(await pending)).toMatchObject({ status: 422, code: 'invalid_input' });
    expect((await waiting).status).toBe(200);
  });

  test('hanging: is killed after its timeout, and accepts the next upload', SLOW, async () => {
    const { pid, pending } = await uploadToStoppedProcess();
    expect(await problemOf(await pending)).toMatchObject({
      status: 422,
      code: 'invalid_input',
      detail: expect.stringContaining('takes too long to decode'),
    });
    expect(codecProcesses()).not.toContain(pid);
    await host.uploadAccepted(await photo());
  });

  test('for variants: is restarted after it was killed', async () => {
    const path = await host.uploadAccepted(await photo());
    const [uploads] = codecProcesses();
    await host.fetchVariant(path, 320, 'webp');
    const variants = codecProcesses().find((pid) => pid !== uploads);
    if (variants === undefined) throw new Error('Variants have a process of their own');
    process.kill(variants, 'SIGKILL');
    const again = () => host.fetchVariant(path, 320, 'avif');
    // The first request may still be sent to the killed process.
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

  test('ends when its host closes', async () => {
    expect(codecProcesses()).not.toEqual([]);
    await host.app.close();
    expect(codecProcesses()).toEqual([]);
  });
});
