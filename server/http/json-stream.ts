import { Readable } from 'node:stream';

/** How much of an answer waits for a slow reader, in bytes, beside the batch that is being written. */
const BUFFERED_BYTES = 64 * 1024;

/** The members of an object, of which lists may come in batches. */
export type StreamedMembers<Answer> = {
  [Name in keyof Answer]:
    | Answer[Name]
    | (Answer[Name] extends readonly (infer Item)[] ? AsyncIterable<readonly Item[]> : never);
};

const isStreamed = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function* serialize(members: object): AsyncGenerator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(members)) {
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isStreamed(value)) {
      yield JSON.stringify(value);
      continue;
    }
    yield '[';
    let comma = '';
    for await (const batch of value) {
      for (const item of batch) {
        yield `${comma}${JSON.stringify(item)}`;
        comma = ',';
      }
    }
    yield ']';
  }
  yield '}';
}

/**
 * An answer of any length, serialized while it is sent: its lists are read in batches, each only when the client has
 * taken the one before. A failure on the way breaks the connection off, so that a part never looks like the whole.
 */
export class JsonStream<Answer> {
  readonly members: StreamedMembers<Answer>;

  constructor(members: StreamedMembers<Answer>) {
    this.members = members;
  }

  toReadable(): Readable {
    return Readable.from(serialize(this.members), { objectMode: false, highWaterMark: BUFFERED_BYTES });
  }
}
