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
} from './testing/photo-samples.ts';

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
  expect(putKeys, 'a refused upload must store nothing').toEqual([]);
  await host[Symbol.asyncDispose]();
});

const withKey = (base: string, key: string | null = KEY) =>
  `${base}/photos${key === null ? '' : `?key=${encodeURIComponent(key)}`}`;
const seller = { authorization: 'Bearer seller' };
const bareForm = { ...seller, 'content-type': 'multipart/form-data; boundary=b' };
const partHead = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';

/** Uploads a form with chunked encoding, without a content length. */
async function uploadChunked(
  chunks: Iterable<string | Buffer>,
): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: IncomingHttpHeaders;
    body: string;
  }>();
  const sending = httpRequest(withKey(host.base), { method: 'POST', headers: bareForm }, (message) => {
    text(message).then((body) => resolve({ headers: message.headers, body }), reject);
  });
  sending.once('error', reject);
  Readable.from(chunks).pipe(sending);
  return promise;
}

/** Makes an AVIF whose boxes declare it a HEIC. */
async function avifDeclaredAsHeic(): Promise<Buffer> {
  const bytes = await halves(100, 75).avif().toBuffer();
  const renames = [
    ['ftypavif', 'ftypheic'],
    ['av01', 'hvc1'],
    ['av1C', 'hvcC'],
  ] as const;
  for (const [from, to] of renames) bytes.write(to, bytes.indexOf(from), 'latin1');
  return bytes;
}

describe('refuses by content', () => {
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
      expect(await host.uploadRefused(await bytes())).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        detail: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.',
        errors: { image: 'Please choose a photo: a JPEG, PNG, WebP, AVIF or HEIC file.' },
      });
    });
  }

  test('an AVIF whose boxes declare it a HEIC', async () => {
    expect(await host.uploadRefused(await avifDeclaredAsHeic())).toMatchObject({
      status: 422,
      code: 'invalid_input',
    });
  });

  const beginnings: ReadonlyArray<[string, string]> = [
    ['JPEG', '\xff\xd8\xff\xe0<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['PNG', '\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['WebP', 'RIFF\x24\0\0\0WEBP<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['AVIF', '\0\0\0\x18ftypavif<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  ];
  for (const [kind, bytes] of beginnings) {
    test(`an SVG after the signature of a ${kind}`, async () => {
      expect(await host.uploadRefused(Buffer.from(bytes, 'latin1'))).toMatchObject({
        status: 422,
        code: 'invalid_input',
      });
    });
  }

  test.for(['jpeg', 'png', 'webp', 'avif'] as const)('a truncated %s', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const create = { width: 200, height: 150, channels: 3, background: '#808080', noise } as const;
    const whole = await sharp({ create }).toFormat(format).toBuffer();
    for (const part of [0.02, 0.5, 0.95]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part));
      expect(await host.uploadRefused(cut), `at ${part}`).toMatchObject({
        status: 422,
        code: 'invalid_input',
        detail: 'This photo is damaged or incomplete. Please try it again or choose another.',
      });
    }
  });
});

test.for([
  ['baseline', {}],
  ['progressive', { progressive: true }],
  ['without subsampling', { chromaSubsampling: '4:4:4' }],
] as const)('refuses a JPEG (%s) that lacks its last pixels', async ([, options]) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 400, height: 304, channels: 3, background: '#808080', noise } as const;
  const whole = await sharp({ create }).jpeg(options).toBuffer();
  for (const missing of [10, 40, 400]) {
    const cut = whole.subarray(0, whole.length - missing);
    expect(await host.uploadRefused(cut), `without ${missing} bytes`).toMatchObject({ status: 422 });
  }
});

describe('refuses by size', () => {
  test('51 megapixels, by the header alone', async () => {
    const refused = await host.uploadRefused(await pngClaiming(8500, 6000));
    expect(refused).toMatchObject({ status: 413, code: 'too_large' });
    expect(refused.detail).toBe('A photo can have up to 50 megapixels; this one has 8500 × 6000 pixels.');
  });

  test('a header of four thousand megapixels without image data', async () => {
    expect(await host.uploadRefused(await pngClaiming(65_000, 65_000))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
  });

  test('one pixel or one byte over the limits, but nothing at the limits', async () => {
    const photo = await halves(400, 300).png().toBuffer();
    await using exact = await startHost({ limits: { bytes: photo.length, pixels: 400 * 300 } });
    await exact.uploadAccepted(photo);
    await using fewerPixels = await startHost({ limits: { pixels: 400 * 300 - 1 } });
    expect(await fewerPixels.uploadRefused(photo)).toMatchObject({ status: 413, code: 'too_large' });
    await using fewerBytes = await startHost({ limits: { bytes: photo.length - 1 } });
    expect(await fewerBytes.uploadRefused(photo)).toMatchObject({ status: 413, code: 'too_large' });
  });

  test('more than 12 MB, with and without a content length', async () => {
    const jpeg = await halves(400, 300).jpeg().toBuffer();
    const large = Buffer.concat([jpeg, Buffer.alloc(12 * 1024 * 1024 - jpeg.length)]);
    const larger = Buffer.concat([large, Buffer.alloc(1)]);
    const sentence = 'A photo can have up to 12 MB. Please choose a smaller one.';
    expect(await host.uploadRefused(larger)).toMatchObject({
      status: 413,
      code: 'too_large',
      detail: sentence,
    });
    expect(await host.uploadRefused(Buffer.alloc(20 * 1024 * 1024, jpeg))).toMatchObject({
      status: 413,
      detail: sentence,
    });

    const unannounced = await uploadChunked([partHead, larger, '\r\n--b--\r\n']);
    expect(unannounced.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(unannounced.body)).toMatchObject({ success: false, status: 413, detail: sentence });
  });

  test('an aspect ratio above the maximum', async () => {
    expect(await host.uploadRefused(await halves(13, 1).png().toBuffer())).toMatchObject({ status: 422 });
    expect(await host.uploadRefused(await halves(30, 2000).png().toBuffer())).toMatchObject({ status: 422 });
  });
});

describe('refuses by sender and form', () => {
  const photo = () => halves(400, 300).jpeg().toBuffer();

  test('a missing or wrong API key', async () => {
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

  test('a sender whom the authorization refuses, with its refusal', async () => {
    const response = await fetch(withKey(host.base), { method: 'POST', body: formWith(await photo()) });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({
      status: 401,
      code: 'not_signed_in',
      detail: 'This needs you to be signed in as a seller.',
    });
  });

  test('a body that is not multipart', async () => {
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

  test('a truncated form, or one without a boundary', async () => {
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

  test('a form without a photo, with an empty one, one under another name, or a URL instead', async () => {
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

  test('a form with two photos, too many fields, or a field named __proto__', async () => {
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
