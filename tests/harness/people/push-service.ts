import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { importJWK, jwtVerify } from 'jose';
import type { PushSubscription } from '#contract/people/notifications.ts';
import { portOf } from '../platform/ports.ts';

/** A request that the push service has received, decrypted as the browser would. */
export interface PushedMessage {
  text: string;
  /** The claims of the shop's token (RFC 8292), whose signature was verified. */
  claims: Readonly<Record<string, unknown>>;
  ttlSeconds: number;
}

/** A browser that has subscribed at the push service. */
export interface SubscribedBrowser {
  subscription: PushSubscription;
  messages: PushedMessage[];
  /** How the push service responds; 201 by default. */
  status: number;
}

/** Decrypts a message of RFC 8291 in the encoding of RFC 8188. */
function decrypt(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const encrypted = body.subarray(21 + keyLength);
  const derive = (key: Buffer, from: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Verifies the Authorization header of RFC 8292. @returns the token's claims @throws Error */
async function verifyVapid(header: string, origin: string): Promise<Record<string, unknown>> {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), k=([^,\s]+)$/.exec(header) ?? [];
  const point = Buffer.from(key, 'base64url');
  const publicKey = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  );
  return (await jwtVerify(token, publicKey, { audience: origin })).payload;
}

/** Starts a stand-in for a browser's push service. */
export async function startPushService() {
  const browsers = new Map<
    string,
    { browser: SubscribedBrowser; ecdh: ReturnType<typeof createECDH>; auth: Buffer }
  >();
  let origin = '';
  const server = createServer((request, response) => {
    void (async () => {
      const found = browsers.get(request.url ?? '');
      const body = await buffer(request);
      if (found === undefined) return response.writeHead(404).end();
      const { browser, ecdh, auth } = found;
      if (browser.status >= 400) return response.writeHead(browser.status).end();
      browser.messages.push({
        text: decrypt(body, ecdh, auth),
        claims: await verifyVapid(request.headers.authorization ?? '', origin),
        ttlSeconds: Number(request.headers.ttl),
      });
      return response.writeHead(browser.status).end();
    })().catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    origin,
    /** Subscribes a new browser. */
    subscribe(): SubscribedBrowser {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const browser: SubscribedBrowser = {
        subscription: {
          endpoint: `${origin}${path}`,
          keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
        },
        messages: [],
        status: 201,
      };
      browsers.set(path, { browser, ecdh, auth });
      return browser;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
