import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { freePorts, portOf } from '#tests/harness/platform/ports.ts';
import { PASSWORD, startProvider } from '../testing/provider.ts';
import { isBreached } from './breached-passwords.ts';

const services = new Set<Server>();

afterEach(() => {
  for (const service of services) service.close();
  services.clear();
});

/** Starts a web server. @param answer returns the body for a path, or an error status */
async function startServer(answer: (path: string) => string | number): Promise<string> {
  const service = createServer((request, response) => {
    const result = answer(request.url ?? '');
    if (typeof result === 'number') response.writeHead(result).end();
    else response.end(result);
  });
  services.add(service.listen(0, '127.0.0.1'));
  await once(service, 'listening');
  return `http://127.0.0.1:${portOf(service)}`;
}

const paddingLine = `${'0'.repeat(34)}A:9\r\n`;

it('sends only five digits of the hash to the range service and ignores padding', async () => {
  const requestedPaths: string[] = [];
  // The SHA-1 of Orchid#7Lantern is 2167A 0CB2C608BED9A7361DDD193E7179C1529C9.
  let count = 3;
  const url = await startServer((path) => {
    requestedPaths.push(path);
    return `${paddingLine}0CB2C608BED9A7361DDD193E7179C1529C9:${count}\r\n`;
  });
  expect(await isBreached('Orchid#7Lantern', `${url}/range`)).toBe(true);
  count = 0;
  expect(await isBreached('Orchid#7Lantern', `${url}/range/`)).toBe(false);
  expect(requestedPaths).toEqual(['/range/2167A', '/range/2167A']);
});

it('does not start when the URL is not a range service', async () => {
  const service = await startServer((path) => (path.startsWith('/range/') ? paddingLine : 404));
  const page = await startServer(() => '<!doctype html><title>Welcome</title>');
  for (const rangeUrl of [service, page]) {
    await expect(startProvider({ passwords: { rangeUrl } })).rejects.toThrow(
      `No list of breached passwords is at ${rangeUrl}`,
    );
  }
});

it('starts while the service is unavailable and uses its answers once it is available', async () => {
  let lines: string | number = 503;
  const rangeUrl = `${await startServer(() => lines)}/range/`;
  const provider = await startProvider({ passwords: { rangeUrl } });
  const unreachable = await startProvider({
    passwords: { rangeUrl: `http://127.0.0.1:${await freePorts(1)}/range/` },
  });
  try {
    const signUp = (email: string) =>
      provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
    expect((await signUp('early@mail.example')).status).toBe(200);
    lines = '0CB2C608BED9A7361DDD193E7179C1529C9:3';
    expect((await signUp('late@mail.example')).status).toBe(422);
  } finally {
    await provider.stop();
    await unreachable.stop();
  }
});
