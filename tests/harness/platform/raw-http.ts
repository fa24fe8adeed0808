import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawGet {
  path: string;
  /** Header lines such as `Host: shop.example`. */
  lines: readonly string[];
}

export interface RawAnswer {
  status: number;
  /** Header lines. */
  head: string;
  body: string;
}

async function open(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

async function exchange(socket: Socket, { path, lines }: RawGet): Promise<RawAnswer> {
  socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  const answer = await text(socket);
  const [head = '', ...body] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body.join('\r\n\r\n') };
}

/** Sends a GET request with header lines that HTTP clients refuse to send, such as two Host headers. */
export async function sendRawGet(origin: string, path: string, lines: readonly string[]): Promise<RawAnswer> {
  return exchange(await open(origin), { path, lines });
}

/** Sends GET requests over open connections, so that all of them have arrived before the server reads the second. */
export async function sendRawGetsAtOnce(origin: string, requests: readonly RawGet[]): Promise<RawAnswer[]> {
  const sockets = await Promise.all(requests.map(() => open(origin)));
  return Promise.all(
    requests.map((request, index) => {
      const socket = sockets[index];
      if (socket === undefined) throw new Error('One connection for each request is open.');
      return exchange(socket, request);
    }),
  );
}
