import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  formWith,
  halves,
  KEY,
  pngClaiming,
  problemOf,
  type RunningHost,
  startHost,
} from './photo-samples.ts';

let host: RunningHost;
const putKeys: string[] = [];
beforeAll(async () => {
  host = await startHost({}, (storage) => ({
    ...storage,
    put: (key, bytes, type) => {
      putKeys.push(key);
      return storage.put(key, bytes, type);
    },
  }));
});
afterAll(async () => {
  expect(putKeys, 'a refused upload must leave nothing behind').toEqual([]);
  await host[Symbol.asyncDispose]();
});

const withKey = (base: string, key: string | null = KEY) =>
  `${base}/photos${key === null ? '' : `?key=${encodeURIComponent(key)}`}`;
const seller = { authorization: 'Bearer seller' };
const bareForm = { ...seller, 'content-type': 'multipart/form-data; boundary=b' };
const partHead = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';

/** Uploads a form in pieces, without saying beforehand how long it will be. */
async function pour(
  pieces: Iterable<string | Buffer>,
): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: IncomingHttpHeaders;
    body: string;
  }>();
  const sending = httpRequest(withKey(host.base), { method: 'POST', headers: bareForm }, (message) => {
    text(message).then((body) => resolve({ headers: message.headers, body }), reject);
  });
  sending.once('error', reject);
  Readable.from(pieces).pipe(sending);
  return promise;
}

/** An AVIF whose boxes call it a HEIC. */
async function heic(): Promise<Buffer> {
  const bytes = await halves(400, 300).avif().toBuffer();
  const renames = [
    ['ftypavif', 'ftypheic'],
    ['av01', 'hvc1'],
    ['av1C', 'hvcC'],
  ] as const;
  for (const [from, to] of renames) bytes.write(to, bytes.indexOf(from), 'latin1');
  return bytes;
}

describe('by content', () => {
  const notPhotos: ReadonlyArray<[string, () => Promise<Buffer> | Buffer]> = [
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    [
      'an SVG behind an XML head',
      () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj')],
    ['a GIF', () => halves(40, 30).gif().toBuffer()],
    ['a GIF that is also a script', () => Buffer.from('GIF89a=1;alert(document.domain);//')],
    ['a TIFF', () => halves(40, 30).tiff().toBuffer()],
    ['a BMP', () => Buffer.from('BM6\0\0\0\0\0\0\0')],
    ['a video', () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')],
    ['a RIFF that is sound', () => Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
    ['a ZIP', () => Buffer.from('PK\x03\x04', 'latin1')],
    ['one byte', () => Buffer.from([0xff])],
  ];
  for (const [name, bytes] of notPhotos) {
    test(`${name} named and declared as a JPEG`, async () => {
      expect(await host.refuse(await bytes())).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        detail: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.',
        errors: { image: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.' },
      });
    });
  }

  test('a HEIC that is none but for its boxes', async () => {
    expect(await host.refuse(await heic())).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  const beginnings: ReadonlyArray<[string, string]> = [
    ['JPEG', '\xff\xd8\xff\xe0<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['PNG', '\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['WebP', 'RIFF\x24\0\0\0WEBP<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['AVIF', '\0\0\0\x18ftypavif<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ];
  for (const [kind, bytes] of beginnings) {
    test(`an SVG behind the first bytes of a ${kind}`, async () => {
      expect(await host.refuse(Buffer.from(bytes, 'latin1'))).toMatchObject({
        status: 422,
        code: 'invalid_input',
      });
    });
  }

  test.for(['jpeg', 'png', 'webp', 'avif'] as const)('a %s that was cut off', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const create = { width: 400, height: 300, channels: 3, background: '#808080', noise } as const;
    const whole = await sharp({ create }).toFormat(format).toBuffer();
    for (const part of [0.02, 0.5, 0.95]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      expect(await host.refuse(cut), `at ${part}`).toMatchObject({
        status: 422,
        code: 'invalid_input',
        detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
      });
    }
  });
});

describe('by size', () => {
  test('51 megapixels, told from the header before anything is decoded', async () => {
    const refused = await host.refuse(await pngClaiming(8500, 6000));
    expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    expect(refused.detail).toBe('A photo can have up to 50 megapixels; this one has 8500 × 6000 pixels.');
  });

  test('a bomb of four thousand megapixels in a few bytes', async () => {
    expect(await host.refuse(await pngClaiming(65_000, 65_000))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
  });

  test('exactly the limits are taken, one pixel or byte more is not', async () => {
    const photo = await halves(400, 300).png().toBuffer();
    await using exact = await startHost({ limits: { bytes: photo.length, pixels: 400 * 300 } });
    await exact.take(photo);
    await using fewerPixels = await startHost({ limits: { pixels: 400 * 300 - 1 } });
    expect(await fewerPixels.refuse(photo)).toMatchObject({ status: 413, code: 'too_large' });
    await using fewerBytes = await startHost({ limits: { bytes: photo.length - 1 } });
    expect(await fewerBytes.refuse(photo)).toMatchObject({ status: 413, code: 'too_large' });
  });

  test('more than 12 MB, announced or not', async () => {
    const jpeg = await halves(400, 300).jpeg().toBuffer();
    const large = Buffer.concat([jpeg, Buffer.alloc(12 * 1024 * 1024 - jpeg.length)]);
    const larger = Buffer.concat([large, Buffer.alloc(1)]);
    const sentence = 'A photo can have up to 12 MB. Please choose a smaller one.';
    expect(await host.refuse(larger)).toMatchObject({ status: 413, code: 'too_large', detail: sentence });
    expect(await host.refuse(Buffer.alloc(20 * 1024 * 1024, jpeg))).toMatchObject({
      status: 413,
      detail: sentence,
    });

    const unannounced = await pour([partHead, larger, '\r\n--b--\r\n']);
    expect(unannounced.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(unannounced.body)).toMatchObject({ success: false, status: 413, detail: sentence });
  });

  test('a strip too narrow to be a photo', async () => {
    expect(await host.refuse(await halves(13, 1).png().toBuffer())).toMatchObject({ status: 422 });
    expect(await host.refuse(await halves(30, 2000).png().toBuffer())).toMatchObject({ status: 422 });
  });
});

describe('by sender and form', () => {
  const photo = () => halves(400, 300).jpeg().toBuffer();

  test('without the key, or with another one', async () => {
    for (const key of [null, '', 'another', `${KEY}x`]) {
      const response = await fetch(withKey(host.base, key), {
        method: 'POST',
        headers: seller,
        body: formWith(await photo()),
      });
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await problemOf(response)).toMatchObject({ status: 403, code: 'not_allowed' });
    }
    const twice = await fetch(`${withKey(host.base)}&key=another`, { method: 'POST', headers: seller });
    expect(await problemOf(twice)).toMatchObject({ status: 403, code: 'not_allowed' });
  });

  test('who is no seller, in the words of the one who decides it', async () => {
    const response = await fetch(withKey(host.base), { method: 'POST', body: formWith(await photo()) });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({
      status: 401,
      code: 'not_signed_in',
      detail: 'This needs you to be signed in as a seller.',
    });
  });

  test('what is no form', async () => {
    for (const [type, body] of [
      ['application/json', 'null'],
      ['application/json', '{"image": "http://127.0.0.1/"}'],
      ['image/jpeg', 'x'],
      ['text/plain', 'x'],
    ] as const) {
      const response = await fetch(withKey(host.base), {
        method: 'POST',
        headers: { ...seller, 'content-type': type },
        body,
      });
      expect(await problemOf(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
    const empty = await fetch(withKey(host.base), { method: 'POST', headers: seller });
    expect(await problemOf(empty)).toMatchObject({ status: 415 });
  });

  test('a form that is broken off or has no boundary', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n\xff',
      ],
      ['multipart/form-data; boundary=b', 'nothing of the kind'],
    ] as const) {
      const response = await fetch(withKey(host.base), {
        method: 'POST',
        headers: { ...seller, 'content-type': type },
        body,
      });
      expect(await problemOf(response)).toMatchObject({ status: 400, code: 'malformed_request' });
    }
  });

  test('a form without a photo: none, empty, under another name, or a URL in its place', async () => {
    const url = new FormData();
    url.append('image', 'http://169.254.169.254/latest/meta-data');
    const forms = [
      new FormData(),
      url,
      formWith(Buffer.alloc(0)),
      formWith(await photo(), 'a.jpg', 'image/jpeg', 'file'),
    ];
    for (const body of forms) {
      const response = await fetch(withKey(host.base), { method: 'POST', headers: seller, body });
      expect(await problemOf(response)).toMatchObject({
        status: 422,
        code: 'invalid_input',
        errors: { image: 'Product photo is required' },
      });
    }
  });

  test('a form of two photos, of many fields, or with a field named to do harm', async () => {
    const two = formWith(await photo());
    two.append('image', new File([new Uint8Array(await photo())], 'second.jpg'));
    const many = new FormData();
    for (let index = 0; index < 40; index += 1) many.append(`field${index}`, 'x');
    const harmful = new FormData();
    harmful.append('__proto__', 'x');
    for (const body of [two, many, harmful]) {
      const response = await fetch(withKey(host.base), { method: 'POST', headers: seller, body });
      expect(await problemOf(response)).toMatchObject({ status: 400, success: false });
    }
  });
});
