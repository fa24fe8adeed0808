import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { MAXIMUM_MAILS, Mailbox } from './mailbox.ts';
import { startMail } from './start.ts';

const Messages = z.array(
  z.object({
    id: z.int(),
    from: z.string(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.nullable(z.string()),
    html: z.nullable(z.string()),
  }),
);

let folder: string;
let mail: Awaited<ReturnType<typeof startMail>>;

const start = () => startMail({ smtpPort: 0, httpPort: 0, dataFolder: folder });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-mail-'));
  mail = await start();
});
afterEach(async () => {
  await mail.close();
  await rm(folder, { recursive: true });
});

async function send(message: SendMailOptions, url = mail.smtpUrl): Promise<void> {
  const transport = createTransport({ url });
  await transport.sendMail({ from: 'Coomercio <shop@coomercio.example>', ...message });
  transport.close();
}

async function read(query = ''): Promise<z.infer<typeof Messages>> {
  return Messages.parse(await (await fetch(`${mail.inboxUrl}/messages.json${query}`)).json());
}

const page = async (path: string) => {
  const answer = await fetch(`${mail.inboxUrl}${path}`);
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};

it('accepts an email over SMTP and returns it decoded as JSON', async () => {
  await send({ to: 'Ann <ann@shop.example>', subject: 'Größe ✓', text: 'Hello, Änn', html: '<p>Hello</p>' });
  expect(await read()).toMatchObject([
    {
      from: 'Coomercio <shop@coomercio.example>',
      to: ['ann@shop.example'],
      subject: 'Größe ✓',
      text: 'Hello, Änn\n',
      html: '<p>Hello</p>\n',
    },
  ]);
});

it('lists the emails to an address, also as Bcc, newest first', async () => {
  await send({ to: 'ann@shop.example', subject: 'one' });
  await send({ to: 'bob@shop.example', subject: 'two' });
  await send({ to: 'bob@shop.example', bcc: 'Ann@Shop.example', subject: 'three' });
  expect((await read('?to=ANN@shop.example')).map(({ subject }) => subject)).toEqual(['three', 'one']);
});

it('delays the response until `atLeast` emails have arrived', async () => {
  const waiting = read('?to=ann@shop.example&atLeast=2');
  await send({ to: 'ann@shop.example', subject: 'one' });
  await send({ to: 'bob@shop.example', subject: 'not hers' });
  await send({ to: 'ann@shop.example', subject: 'two' });
  expect((await waiting).map(({ subject }) => subject)).toEqual(['two', 'one']);
});

it('accepts any user name and password', async () => {
  const url = mail.smtpUrl.replace('smtp://', 'smtp://anybody:secret@');
  await send({ to: 'ann@shop.example', subject: 'signed in' }, url);
  expect(await read()).toHaveLength(1);
});

it('restores the emails after a restart and continues their ids', async () => {
  await send({ to: 'ann@shop.example', subject: 'before' });
  await mail.close();
  mail = await start();
  await send({ to: 'ann@shop.example', subject: 'after' });
  expect(await read()).toMatchObject([
    { id: 2, subject: 'after' },
    { id: 1, subject: 'before' },
  ]);
});

it(`keeps the newest ${MAXIMUM_MAILS} emails`, async () => {
  const own = await mkdtemp(join(tmpdir(), 'coomercio-mail-'));
  try {
    const mailbox = await Mailbox.open(own);
    const raw = Buffer.from('Subject: one of many\r\n\r\n');
    const arrivals = Array.from({ length: MAXIMUM_MAILS + 3 }, () =>
      mailbox.add(raw, { from: '', to: ['ann@shop.example'] }),
    );
    await Promise.all(arrivals);
    mailbox.close();
    const again = await Mailbox.open(own);
    const ids = again.list().map(({ id }) => id);
    expect([ids.length, ids.at(0), ids.at(-1)]).toEqual([MAXIMUM_MAILS, MAXIMUM_MAILS + 3, 4]);
    again.close();
  } finally {
    await rm(own, { recursive: true });
  }
});

it('renders the list and each email, and runs no script of an email', async () => {
  const evil = '<script>alert(1)</script>';
  await send({ to: 'ann@shop.example', subject: evil, text: evil, html: `<p>hi</p>${evil}` });
  for (const path of ['/', '/messages/1']) {
    const { status, headers, html } = await page(path);
    expect(status).toBe(200);
    expect(html).toContain('ann@shop.example');
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
  }
  expect((await page('/messages/1')).html).toMatch(
    /<iframe src="\/messages\/1\/html"[^>]* sandbox="allow-popups/,
  );
  const framed = await page('/messages/1/html');
  expect(framed.html).toContain('<p>hi</p>');
  const policy = framed.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox allow-popups');
  expect(policy).not.toContain('script');
  const source = await page('/messages/1/source');
  expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(source.html).toContain('MIME-Version: 1.0');
});

it('responds 404 to an unknown email and 400 to an invalid query', async () => {
  for (const path of ['/messages/7', '/messages/7/html', '/messages/7/source', '/messages/x', '/none']) {
    expect((await page(path)).status).toBe(404);
  }
  expect((await page('/messages.json?atLeast=many')).status).toBe(400);
});

/** Sends a text message to the hook, signed as the shop does. */
function sendSms(
  message: unknown,
  {
    id = 'sms-1',
    key = mail.sms.key,
    secondsAgo = 0,
  }: { id?: string; key?: string; secondsAgo?: number } = {},
): Promise<Response> {
  const body = JSON.stringify(message);
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`);
  return fetch(mail.sms.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,unknown v1,${signature.digest('base64')}`,
    },
    body,
  });
}

it('shows a text message among the emails, once for each id, also after a restart', async () => {
  const sms = { to: '+351912345678', text: '123456 is your <b>code</b>' };
  for (const id of ['one', 'one', 'two']) expect((await sendSms(sms, { id })).status).toBe(204);
  expect(await read('?to=%2B351912345678')).toMatchObject(
    [sms, sms].map(({ text }) => ({ text, html: null })),
  );
  const inbox = (await page('/?to=%2B351912345678')).html;
  expect(inbox).toContain('Text message');
  const message = (await page('/messages/1')).html;
  expect(message).toContain('123456 is your &lt;b&gt;code&lt;/b&gt;');
  expect(message).not.toContain('/source');
  expect((await page('/messages/1/source')).status).toBe(404);
  await mail.close();
  mail = await start();
  expect(await read('?to=%2B351912345678')).toHaveLength(2);
});

it('refuses text messages without the signature, with an old one, and in another form', async () => {
  const sms = { to: '+351912345678', text: 'Hello' };
  expect((await sendSms(sms, { key: Buffer.alloc(32).toString('base64') })).status).toBe(401);
  expect((await sendSms(sms, { secondsAgo: 301 })).status).toBe(401);
  expect((await sendSms(sms, { secondsAgo: -310 })).status).toBe(401);
  for (const other of [
    { to: '912345678', text: 'Hello' },
    { to: sms.to },
    { ...sms, text: 'x'.repeat(1_601) },
    null,
  ]) {
    expect((await sendSms(other)).status).toBe(422);
  }
  expect((await sendSms({ ...sms, text: 'x'.repeat(20_000) })).status).toBe(413);
  const unsigned = await fetch(mail.sms.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sms),
  });
  expect(unsigned.status).toBe(401);
  expect(await read()).toEqual([]);
});

it('rejects with the port that is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const other = await mkdtemp(join(tmpdir(), 'coomercio-mail-'));
  try {
    for (const ports of [
      { smtpPort: port, httpPort: 0 },
      { smtpPort: 0, httpPort: port },
    ]) {
      await expect(startMail({ ...ports, dataFolder: other })).rejects.toMatchObject({
        code: 'EADDRINUSE',
        port,
      });
    }
  } finally {
    blocker.close();
    await rm(other, { recursive: true });
  }
});
