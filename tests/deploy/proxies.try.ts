import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { createClient } from '#contract/platform/client.ts';
import { book } from '#contract/sales/bookings.ts';
import { samplePicture, uploadPhoto } from '#demo/pictures.ts';
import { type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { PORTS_OF_SHOP } from '#tests/harness/operations/shop-ports.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { findProgram, type RunningProgram, startProgram } from '#tests/harness/platform/programs.ts';

// The example files of deploy/, in front of two processes of the shop, with the real servers over HTTPS.

const deployFolder = join(import.meta.dirname, '../../deploy');

/** Replaces texts of an example file, each of which must occur. */
async function adapt(name: string, replacements: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(deployFolder, name), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}.`);
    text = text.replaceAll(from, to);
  }
  return text;
}

interface ProxyPorts {
  http: number;
  https: number;
  backends: readonly [number, number];
}

interface Proxy {
  program: RunningProgram;
  /** The certificate authority to trust, as PEM. */
  authority(): Promise<string>;
}

async function startNginx(path: string, folder: string, ports: ProxyPorts): Promise<Proxy> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...[
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
  ]);
  const site = await adapt('nginx.conf', {
    '127.0.0.1:3001': `127.0.0.1:${ports.backends[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${ports.backends[1]}`,
    'listen 80;': `listen 127.0.0.1:${ports.http};`,
    'listen [::]:80;': '',
    'listen 443 ssl': `listen 127.0.0.1:${ports.https} ssl`,
    'listen [::]:443 ssl http2;': '',
    'https://shop.example$': `https://localhost:${ports.https}$`,
    'server_name shop.example;': 'server_name localhost;',
    '/etc/ssl/coomercio/certificate.pem': certificate,
    '/etc/ssl/coomercio/key.pem': key,
  });
  await writeFile(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr;
     events {} http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }`,
  );
  const program = startProgram(path, ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]);
  return { program, authority: () => readFile(certificate, 'utf8') };
}

async function startCaddy(path: string, folder: string, ports: ProxyPorts): Promise<Proxy> {
  const site = await adapt('Caddyfile', {
    '127.0.0.1:3001': `127.0.0.1:${ports.backends[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${ports.backends[1]}`,
    'shop.example {': `https://localhost:${ports.https} {\n\ttls internal`,
    '\tservers {': `\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tservers {`,
  });
  await writeFile(join(folder, 'Caddyfile'), site);
  const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const program = startProgram(
    path,
    ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    environment,
  );
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  return {
    program,
    authority: () => vi.waitFor(() => readFile(root, 'utf8'), { timeout: 30_000, interval: 100 }),
  };
}

/** Sends a request over HTTP/2. @returns its status */
async function requestOverHttp2(origin: string, path: string): Promise<number> {
  const session = connectHttp2(origin);
  try {
    const request = session.request({ ':path': path });
    const [headers] = await once(request, 'response');
    request.resume();
    await once(request, 'end');
    return Number(headers[':status']);
  } finally {
    session.close();
  }
}

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  const path = findProgram(name);
  if (path === null) console.warn(`${name} is not installed: its example is not tried.`);
  describe.skipIf(path === null)(`behind ${name}`, () => {
    let folder: string;
    let database: TestDatabase;
    let proxy: Proxy;
    let origin: string;
    let ports: ProxyPorts;
    const servers: ServerProcess[] = [];
    const certificates = getCACertificates('default');

    const environment = (port: number) => ({
      PORT: String(port),
      PUBLIC_ORIGIN: origin,
      DATABASE_URL: database.url,
      COOMERCIO_DATA: join(folder, 'data'),
      DEMO: '0',
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '5',
    });

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), `coomercio-${name}-`));
      await chmod(folder, 0o755);
      await mkdir(join(folder, 'data'));
      database = await createTestDatabase();
      const first = await freePorts(2 + 2 * PORTS_OF_SHOP);
      ports = { http: first, https: first + 1, backends: [first + 2, first + 2 + PORTS_OF_SHOP] };
      origin = `https://localhost:${ports.https}`;
      for (const port of ports.backends) servers.push(await startServer(environment(port)));
      proxy = await start(path ?? '', folder, ports);
      setDefaultCACertificates([...certificates, await proxy.authority()]);
      await vi.waitFor(
        async () => {
          const { status } = await fetch(`${origin}/readyz`);
          if (status !== 200) throw new Error(`/readyz: ${status}`);
        },
        { timeout: 30_000, interval: 100 },
      );
    });
    afterAll(async () => {
      setDefaultCACertificates(certificates);
      await proxy.program[Symbol.asyncDispose]();
      for (const server of servers) await server.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    });

    async function signUp(role: 'Buyer' | 'Seller') {
      const [email, person] = [`${name}.${role.toLowerCase()}@people.example`, `Proxied ${role}`];
      const answer = await fetch(`${origin}/identity/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, name: person, password: 'Proxied#2018x' }),
      });
      const { idToken } = z.object({ idToken: z.string() }).parse(await answer.json());
      const proven = createClient({ base: `${origin}/api`, fetch, token: () => idToken });
      await proven.call(registerUser, { body: { email, name: person, role } });
      const { coomercioToken: token } = await proven.call(exchangeToken, { query: { email } });
      return { client: createClient({ base: `${origin}/api`, fetch, token: () => token }), token };
    }

    test('serves the home page and a script over HTTP/2, and redirects from HTTP', async () => {
      const page = await fetch(`${origin}/`);
      const html = await page.text();
      expect(page.status).toBe(200);
      expect(page.headers.get('strict-transport-security')).toContain('max-age');
      const script = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
      expect((await fetch(`${origin}${script}`)).headers.get('cache-control')).toContain('immutable');
      expect(await requestOverHttp2(origin, '/')).toBe(200);
      const plain = await fetch(`http://localhost:${ports.http}/laptops?q=1`, { redirect: 'manual' });
      expect(plain.status).toBe(308);
      expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost(:\d+)?\/laptops\?q=1$/);
    });

    test('carries a sign-up, an upload, a listing and a booking', async () => {
      const seller = await signUp('Seller');
      const buyer = await signUp('Buyer');
      const { photos } = await seller.client.call(readSettings, {});
      const photoKey = new URL(photos.uploadUrl, origin).searchParams.get('key') ?? '';
      const photosUrl = `${origin}/photos`;
      const image = await uploadPhoto(samplePicture, { photosUrl, photoKey, token: seller.token });
      expect(image.startsWith(`${origin}/photos/`)).toBe(true);
      const photo = await fetch(image);
      expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
      const { insertedId } = await seller.client.call(listLaptop, {
        body: {
          category_Id: 'HP',
          name: 'EliteBook 840 G8',
          location: 'Lisbon',
          image,
          description: { Processor: 'Intel Core i5-1145G7' },
          original_price: 1299,
          resale_price: 549.99,
          use_time: '2 years',
          mobile_number: '+351 912 345 678',
          condition: 'Excellent',
        },
      });
      const booked = await buyer.client.call(book, {
        body: {
          price: 549.99,
          phone: '+351 900 000 000',
          location: 'Central Station',
          productCode: insertedId,
        },
      });
      expect(booked.insertedId).toMatch(/\w/);
    });

    test('refuses a body that is too large, hides the metrics, and passes Retry-After and the client’s address on', async () => {
      const upload = (bytes: number) => {
        const body = new FormData();
        body.set('image', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
        return fetch(`${origin}/photos?key=wrong`, { method: 'POST', body });
      };
      // The shop's own refusal, and one that ends the connection or says 413.
      expect((await upload(14 * 1024 * 1024).catch(() => null))?.status ?? 403).toBe(403);
      expect((await upload(25 * 1024 * 1024).catch(() => null))?.status ?? 413).toBeOneOf([413, 403]);

      expect((await fetch(`${origin}/metrics`)).status).toBe(404);

      // A visitor's own header does not become the address: all attempts count for this machine.
      let limited: Response | undefined;
      for (let attempt = 0; attempt < 40 && limited === undefined; attempt += 1) {
        const answer = await fetch(`${origin}/identity/sign-in/email`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `203.0.113.${attempt}`,
          },
          body: JSON.stringify({ email: 'nobody@people.example', password: 'Wrong#2018x' }),
        });
        await answer.arrayBuffer();
        if (answer.status === 429) limited = answer;
      }
      expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    // Caddy cannot count them; its example says how a firewall does.
    test.runIf(name === 'nginx')('one client has a bounded number of requests in progress', async () => {
      const clients: TLSSocket[] = [];
      try {
        for (let at = 0; at < 205; at += 1) {
          const client = connectTls({ port: ports.https, host: 'localhost' });
          client.on('error', () => undefined);
          client.resume();
          clients.push(client);
          await once(client, 'secureConnect');
          client.write(
            'POST /api/users HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n',
          );
        }
        // The last ones may not have arrived.
        await expect.poll(async () => (await fetch(`${origin}/healthz`)).status).toBe(429);
        expect((await fetch(`${origin}/healthz`)).headers.get('retry-after')).toBe('5');
      } finally {
        for (const client of clients) client.destroy();
      }
      await expect.poll(async () => (await fetch(`${origin}/healthz`)).status).toBe(200);
    });

    test('one process stops without a failed request; without any, the answer is 503 with Retry-After', async () => {
      let isEnding = false;
      const statuses: number[] = [];
      const load = Array.from({ length: 4 }, async () => {
        while (!isEnding) {
          const answer = await fetch(`${origin}/api/brands`).catch(() => null);
          await answer?.arrayBuffer();
          statuses.push(answer?.status ?? 0);
        }
      });
      await expect.poll(() => statuses.length).toBeGreaterThan(100);
      expect(await servers[0]?.stop()).toBe(0);
      const after = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(after + 100);
      isEnding = true;
      await Promise.all(load);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);

      await servers[1]?.stop();
      const answer = await fetch(`${origin}/`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
    });
  });
}
