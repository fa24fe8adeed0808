import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCardSandbox } from '@coomercio/card-sandbox';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRawGet } from '#tests/harness/platform/raw-http.ts';
import { startGoogle } from './google/start.ts';
import { refuseOtherHosts } from './hosts.ts';
import { startMail } from './mail/start.ts';

const keys = { secretKey: 'sk_test_hosts', publishableKey: 'pk_test_hosts', webhookSecret: 'whsec_hosts' };
const hostNames = ['shop.example'];

let folder: string;
let cards: Awaited<ReturnType<typeof startCardSandbox>>;
let google: Awaited<ReturnType<typeof startGoogle>>;
let mail: Awaited<ReturnType<typeof startMail>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-hosts-'));
  const inFolder = (name: string) => ({ dataFolder: join(folder, name) });
  cards = await startCardSandbox({
    port: 0,
    install: (app) => refuseOtherHosts(app, hostNames),
    ...inFolder('cards'),
    ...keys,
  });
  google = await startGoogle({
    port: 0,
    origins: ['https://shop.example'],
    clientId: 'shop',
    clientSecret: 'secret',
    ...inFolder('google'),
  });
  mail = await startMail({ smtpPort: 0, httpPort: 0, hostNames, ...inFolder('mail') });
});
afterAll(async () => {
  await Promise.all([cards.close(), google.close(), mail.close()]);
  await rm(folder, { recursive: true });
});

const pages: readonly (readonly [string, () => string, string])[] = [
  ['the library of the card processor', () => cards.origin, '/stripe.js'],
  ['the API of the card processor', () => cards.origin, '/v1/payment_intents'],
  ['Google', () => google.issuer, '/.well-known/openid-configuration'],
  ['the inbox', () => mail.inboxUrl, '/messages.json'],
];

test.each(pages)(
  '%s accepts the host names of this machine and the shop, and no others',
  async (_name, origin, path) => {
    const statusOf = async (...lines: string[]) => (await sendRawGet(origin(), path, lines)).status;
    const own = await statusOf('Host: 127.0.0.1');
    expect([200, 401]).toContain(own);
    for (const host of ['localhost:3003', 'mail.localhost', '[::1]', 'shop.example', 'SHOP.example:8443']) {
      expect(await statusOf(`Host: ${host}`), host).toBe(own);
    }
    for (const host of ['rebound.example', 'shop.example.rebound.example', '127.0.0.1.rebound.example']) {
      expect(await statusOf(`Host: ${host}`), host).toBe(421);
    }
    expect(await statusOf('Host: localhost', 'Host: rebound.example')).toBe(400);
  },
);

test('stored files are readable only by their owner', async () => {
  const transport = createTransport({ url: mail.smtpUrl });
  await transport.sendMail({
    from: 'shop@shop.example',
    to: 'ann@shop.example',
    subject: 'Hello',
    text: 'Hello',
  });
  transport.close();
  const modes: string[] = [];
  for (const name of ['cards', 'google', 'mail']) {
    const { mode } = await stat(join(folder, name));
    modes.push(`${name}/ ${(mode & 0o777).toString(8)}`);
    for (const file of await readdir(join(folder, name))) {
      const stats = await stat(join(folder, name, file));
      modes.push(`${file} ${(stats.mode & 0o777).toString(8)}`);
    }
  }
  expect(modes.length).toBeGreaterThan(6);
  expect(modes.filter((entry) => !entry.endsWith(entry.includes('/') ? ' 700' : ' 600'))).toEqual([]);
});
