import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';
import * as z from 'zod/mini';
import { makePrivateFolder, PRIVATE_FILE } from '../private-files.ts';

/** How many messages are kept; the oldest is removed first. */
export const MAXIMUM_MAILS = 500;

const Message = z.object({
  /** Increases with each e-mail. */
  id: z.int(),
  /** ISO 8601 in UTC. */
  receivedAt: z.string(),
  /** The sender in the header `From`. */
  from: z.string(),
  /** The recipients of the envelope, including Bcc. */
  to: z.array(z.string()),
  subject: z.string(),
  text: z.nullable(z.string()),
  html: z.nullable(z.string()),
  attachments: z.array(z.object({ name: z.string(), type: z.string() })),
  kind: z.enum(['email', 'sms']),
});
export type Message = z.infer<typeof Message>;

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

function formatAddress(address: Address | undefined): string | null {
  if (address?.address === undefined) return address?.name ?? null;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

/**
 * Stores the caught e-mails and text messages in memory and in a folder: for each the parsed message (`7.json`), and for an
 * e-mail its source (`7.eml`). A message exists once its `.json` does, so a crash in between leaves none that is incomplete.
 */
export class Mailbox {
  readonly #folder: string;
  #messages: Message[];
  #nextId: number;
  /** Serializes writes, so that the ids are in the order of arrival. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #waiters = new Set<() => void>();

  private constructor(folder: string, messages: Message[]) {
    this.#folder = folder;
    this.#messages = messages;
    this.#nextId = (messages.at(-1)?.id ?? 0) + 1;
  }

  /** Opens or creates the folder. Ignores files that cannot be read. */
  static async open(folder: string): Promise<Mailbox> {
    await makePrivateFolder(folder);
    const files = await readdir(folder);
    const names = files.filter((name) => /^\d+\.json$/.test(name));
    const read = await Promise.all(names.map((name) => readMessage(join(folder, name))));
    const messages = read.filter((message) => message !== null).sort((one, other) => one.id - other.id);
    return new Mailbox(folder, messages);
  }

  /** Stores an e-mail from its source. Resolves once it is on disk. */
  add(raw: Buffer, envelope: Envelope): Promise<Message> {
    return this.#serialize(async () => {
      const message = await this.#read(raw, envelope);
      await writeFile(`${this.#path(message.id)}.eml`, raw, { mode: PRIVATE_FILE });
      return this.#store(message);
    });
  }

  /** Stores a text message. Resolves once it is on disk. */
  addSms({ to, text }: { to: string; text: string }): Promise<Message> {
    return this.#serialize(() =>
      this.#store({
        id: this.#nextId++,
        receivedAt: new Date().toISOString(),
        from: 'SMS',
        to: [to],
        subject: 'Text message',
        text,
        html: null,
        attachments: [],
        kind: 'sms',
      }),
    );
  }

  /** Returns the e-mails, newest first. @param to only those delivered to this address, in any case */
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

  /** Reads the source of an e-mail. */
  readSource(message: Message): Promise<Buffer> {
    return readFile(`${this.#path(message.id)}.eml`);
  }

  /** Resolves once at least `count` e-mails for `to` have arrived, or the signal is aborted. */
  async waitFor(count: number, to: string | undefined, signal: AbortSignal): Promise<void> {
    while (this.list(to).length < count && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiters.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      this.#waiters.delete(resolve);
    }
  }

  /** Removes all e-mails. @returns how many it has removed */
  clear(): Promise<number> {
    return this.#serialize(async () => {
      const removed = this.#messages;
      this.#messages = [];
      await Promise.all(removed.map((message) => this.#remove(message)));
      return removed.length;
    });
  }

  /** Resolves once everything is on disk. */
  async flushed(): Promise<void> {
    await this.#writing;
  }

  #path(id: number): string {
    return join(this.#folder, String(id));
  }

  async #store(message: Message): Promise<Message> {
    const path = this.#path(message.id);
    await writeFile(`${path}.json.new`, JSON.stringify(message), { mode: PRIVATE_FILE });
    await rename(`${path}.json.new`, `${path}.json`);
    this.#messages.push(message);
    const oldest = this.#messages.splice(0, this.#messages.length - MAXIMUM_MAILS);
    await Promise.all(oldest.map((old) => this.#remove(old)));
    for (const notify of this.#waiters) notify();
    return message;
  }

  async #remove({ id }: Message): Promise<void> {
    // The `.json` first, because it makes the e-mail exist.
    await rm(`${this.#path(id)}.json`, { force: true });
    await rm(`${this.#path(id)}.eml`, { force: true });
  }

  async #read(raw: Buffer, envelope: Envelope): Promise<Message> {
    const email = await PostalMime.parse(raw);
    return {
      id: this.#nextId++,
      receivedAt: new Date().toISOString(),
      from: formatAddress(email.from) ?? envelope.from,
      to: [...envelope.to],
      subject: email.subject ?? '',
      text: email.text ?? null,
      html: email.html ?? null,
      attachments: email.attachments.map(({ filename, mimeType }) => ({
        name: filename ?? 'unnamed',
        type: mimeType,
      })),
      kind: 'email',
    };
  }

  #serialize<Result>(work: () => Promise<Result>): Promise<Result> {
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
    console.error(`The mail catcher ignores ${path}: ${String(error)}`);
    return null;
  }
}
