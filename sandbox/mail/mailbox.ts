import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';
import * as z from 'zod/mini';
import { makePrivateFolder, PRIVATE_FILE } from '../private-files.ts';

/** How many mails are kept; the oldest makes room. */
export const MAXIMUM_MAILS = 500;

const Message = z.object({
  /** Counts up with each mail, without end. */
  id: z.int(),
  /** ISO 8601 in UTC. */
  receivedAt: z.string(),
  /** Whom the sender named in the header `From`. */
  from: z.string(),
  /** To whom it was delivered: the envelope's addresses, so hidden recipients too. */
  to: z.array(z.string()),
  subject: z.string(),
  text: z.nullable(z.string()),
  html: z.nullable(z.string()),
  attachments: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type Message = z.infer<typeof Message>;

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

function written(address: Address | undefined): string | null {
  if (address?.address === undefined) return address?.name ?? null;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

/**
 * The caught mails, in memory and in a folder: per mail what came (`7.eml`) and what was read in it (`7.json`).
 * A mail exists once the latter does, so one that a crash cut short leaves nothing to be read.
 */
export class Mailbox {
  readonly #folder: string;
  #messages: Message[];
  #nextId: number;
  /** Writing one after the other keeps the order of the ids that of the arrivals. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<() => void>();

  private constructor(folder: string, messages: Message[]) {
    this.#folder = folder;
    this.#messages = messages;
    this.#nextId = (messages.at(-1)?.id ?? 0) + 1;
  }

  /** Opens the folder, or begins it. A file in it that cannot be read is passed over. */
  static async open(folder: string): Promise<Mailbox> {
    await makePrivateFolder(folder);
    const files = await readdir(folder);
    // Those of earlier versions were for everybody on the machine to read.
    await Promise.all(files.map((name) => chmod(join(folder, name), PRIVATE_FILE)));
    const names = files.filter((name) => /^\d+\.json$/.test(name));
    const read = await Promise.all(names.map((name) => readMessage(join(folder, name))));
    const messages = read.filter((message) => message !== null).sort((one, other) => one.id - other.id);
    return new Mailbox(folder, messages);
  }

  /** Keeps a mail as it came over the wire. Resolves once it is on the disk. */
  add(raw: Buffer, envelope: Envelope): Promise<Message> {
    return this.#inTurn(async () => {
      const message = await this.#read(raw, envelope);
      const path = this.#path(message.id);
      await writeFile(`${path}.eml`, raw, { mode: PRIVATE_FILE });
      await writeFile(`${path}.json.new`, JSON.stringify(message), { mode: PRIVATE_FILE });
      await rename(`${path}.json.new`, `${path}.json`);
      this.#messages.push(message);
      const dropped = this.#messages.splice(0, this.#messages.length - MAXIMUM_MAILS);
      await Promise.all(dropped.map((old) => this.#remove(old)));
      for (const wake of this.#waiting) wake();
      return message;
    });
  }

  /** The mails, newest first. @param to only those delivered to this address, in any spelling of its case */
  list(to?: string): Message[] {
    const wanted = to?.trim().toLowerCase();
    const found =
      wanted === undefined
        ? this.#messages
        : this.#messages.filter((message) => message.to.some((address) => address.toLowerCase() === wanted));
    return found.toReversed();
  }

  find(id: number): Message | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  /** What came over the wire, byte by byte. */
  source(message: Message): Promise<Buffer> {
    return readFile(`${this.#path(message.id)}.eml`);
  }

  /** Resolves once at least `count` mails for `to` are there, or the signal is aborted. */
  async until(count: number, to: string | undefined, signal: AbortSignal): Promise<void> {
    while (this.list(to).length < count && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  /** Removes all mails. @returns how many they were */
  clear(): Promise<number> {
    return this.#inTurn(async () => {
      const gone = this.#messages;
      this.#messages = [];
      await Promise.all(gone.map((message) => this.#remove(message)));
      return gone.length;
    });
  }

  /** Resolves once everything is on the disk. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #path(id: number): string {
    return join(this.#folder, String(id));
  }

  async #remove({ id }: Message): Promise<void> {
    // The name that makes it exist goes first.
    await rm(`${this.#path(id)}.json`, { force: true });
    await rm(`${this.#path(id)}.eml`, { force: true });
  }

  async #read(raw: Buffer, envelope: Envelope): Promise<Message> {
    const email = await PostalMime.parse(raw);
    return {
      id: this.#nextId++,
      receivedAt: new Date().toISOString(),
      from: written(email.from) ?? envelope.from,
      to: [...envelope.to],
      subject: email.subject ?? '',
      text: email.text ?? null,
      html: email.html ?? null,
      attachments: email.attachments.map(({ filename, mimeType }) => ({
        name: filename ?? 'unnamed',
        type: mimeType,
      })),
    };
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }
}

async function readMessage(path: string): Promise<Message | null> {
  const text = await readFile(path, 'utf8');
  try {
    return Message.parse(JSON.parse(text));
  } catch (error) {
    console.error(`The mail catcher passes over ${path}: ${String(error)}`);
    return null;
  }
}
