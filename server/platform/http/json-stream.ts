import { Readable } from 'node:stream';

/** How much is buffered for a slow reader, in bytes, in addition to the present batch. */
const BUFFERED_BYTES = 64 * 1024;

/** An object whose lists may be async iterables of batches. */
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
 * A response of any length that is serialized while it is sent. A batch of a list is read after the client has received
 * the previous one. A failure closes the connection, so that a partial response is never complete JSON.
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
