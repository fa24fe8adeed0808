import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import PostalMime, { type Address } from 'postal-mime';
import * as z from 'zod/mini';
import { makePrivateFolder, PRIVATE_FILE } from '../private-files.ts';

/** How many messages are kept; the oldest is removed first. */
export const MAXIMUM_MAILS = 500;

/** How long a start waits for another process that still writes. */
const LOCK_TIMEOUT_MS = 5_000;

const Message = z.object({
  /** Increases with each message. */
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
  kind: z.enum(['email', 'sms']),
});
export type Message = z.infer<typeof Message>;

const Row = z.object({ id: z.int(), message: z.string() });
const SourceRow = z.optional(z.object({ source: z.nullable(z.instanceof(Uint8Array)) }));

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

function formatAddress(address: Address | undefined): string | null {
  if (address?.address === undefined) return address?.name ?? null;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

/** Stores the caught emails and text messages in memory and in a SQLite database, which also has the source of each email. */
export class Mailbox {
  readonly #database: DatabaseSync;
  #messages: Message[];
  readonly #waiters = new Set<() => void>();
  /** The email that is stored last. */
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(database: DatabaseSync) {
    this.#database = database;
    const rows = database.prepare('select id, message from messages order by id').all();
    this.#messages = rows.map((row) => {
      const { id, message } = z.parse(Row, row);
      return z.parse(Message, { ...JSON.parse(message), id });
    });
  }

  /** Opens or creates the folder. */
  static async open(folder: string): Promise<Mailbox> {
    await makePrivateFolder(folder);
    const path = join(folder, 'messages.sqlite');
    // SQLite gives the files beside it the same mode.
    closeSync(openSync(path, 'a', PRIVATE_FILE));
    const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
    database.exec(`
      pragma journal_mode = wal;
      create table if not exists messages (
        id integer primary key autoincrement, message text not null, source blob)`);
    return new Mailbox(database);
  }

  /** Stores an email from its source, after those that arrived before. */
  add(raw: Buffer, envelope: Envelope): Promise<Message> {
    const add = async () => {
      const email = await PostalMime.parse(raw);
      return this.#store(
        {
          from: formatAddress(email.from) ?? envelope.from,
          to: [...envelope.to],
          subject: email.subject ?? '',
          text: email.text ?? null,
          html: email.html ?? null,
          kind: 'email',
        },
        raw,
      );
    };
    // One that cannot be stored stops no other.
    const added = this.#adding.then(add, add);
    this.#adding = added;
    return added;
  }

  /** Stores a text message. */
  addSms({ to, text }: { to: string; text: string }): Message {
    const sms = { from: 'SMS', to: [to], subject: 'Text message', text, html: null };
    return this.#store({ ...sms, kind: 'sms' }, null);
  }

  /** Returns the messages, newest first. @param to only those delivered to this address, in any case */
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

  /** Reads the source of an email; null of a text message. */
  readSource({ id }: Message): Buffer | null {
    const row = z.parse(
      SourceRow,
      this.#database.prepare('select source from messages where id = ?').get(id),
    );
    return row?.source ? Buffer.from(row.source) : null;
  }

  /** Resolves once at least `count` messages for `to` have arrived, or the signal is aborted. */
  async waitFor(count: number, to: string | undefined, signal: AbortSignal): Promise<void> {
    while (this.list(to).length < count && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiters.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      this.#waiters.delete(resolve);
    }
  }

  close(): void {
    this.#database.close();
  }

  #store(given: Omit<Message, 'id' | 'receivedAt'>, source: Buffer | null): Message {
    const stored = { ...given, receivedAt: new Date().toISOString() };
    const { lastInsertRowid } = this.#database
      .prepare('insert into messages (message, source) values (?, ?)')
      .run(JSON.stringify(stored), source);
    const message: Message = { ...stored, id: Number(lastInsertRowid) };
    this.#messages.push(message);
    this.#messages = this.#messages.slice(-MAXIMUM_MAILS);
    this.#database.prepare('delete from messages where id <= ?').run(message.id - MAXIMUM_MAILS);
    for (const notify of this.#waiters) notify();
    return message;
  }
}
