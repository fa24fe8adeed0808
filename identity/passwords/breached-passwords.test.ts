import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { freePorts, portOf } from '#tests/harness/ports.ts';
import { PASSWORD, startProvider } from '../testing/provider.ts';
import { isBreached } from './breached-passwords.ts';

const services = new Set<Server>();

afterEach(() => {
  for (const service of services) service.close();
  services.clear();
});

/** A web server. @param answer what it says to a path, or the status that it refuses it with */
async function serve(answer: (path: string) => string | number): Promise<string> {
  const service = createServer((request, response) => {
    const said = answer(request.url ?? '');
    if (typeof said === 'number') response.writeHead(said).end();
    else response.end(said);
  });
  services.add(service.listen(0, '127.0.0.1'));
  await once(service, 'listening');
  return `http://127.0.0.1:${portOf(service)}`;
}

const someLines = `${'0'.repeat(34)}A:9\r\n`;

it('asks the range service with five digits of the hash and nothing else, and believes no padding', async () => {
  const asked: string[] = [];
  // The SHA-1 of Orchid#7Lantern is 2167A 0CB2C608BED9A7361DDD193E7179C1529C9.
  let count = 3;
  const url = await serve((path) => {
    asked.push(path);
    return `${someLines}0CB2C608BED9A7361DDD193E7179C1529C9:${count}\r\n`;
  });
  expect(await isBreached('Orchid#7Lantern', `${url}/range`)).toBe(true);
  count = 0;
  expect(await isBreached('Orchid#7Lantern', `${url}/range/`)).toBe(false);
  expect(asked).toEqual(['/range/2167A', '/range/2167A']);
});

it('an address at which something else answers ends the start with a sentence', async () => {
  const service = await serve((path) => (path.startsWith('/range/') ? someLines : 404));
  const page = await serve(() => '<!doctype html><title>Welcome</title>');
  for (const rangeUrl of [service, page]) {
    await expect(startProvider({ passwords: { rangeUrl } })).rejects.toThrow(
      `No list of breached passwords is at ${rangeUrl}`,
    );
  }
});

it('a service that is away keeps nobody from starting, and its answer counts when it is back', async () => {
  let lines: string | number = 503;
  const rangeUrl = `${await serve(() => lines)}/range/`;
  const provider = await startProvider({ passwords: { rangeUrl } });
  const unreached = await startProvider({
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
    await unreached.stop();
  }
});
