import { createParser } from 'eventsource-parser';
import { parseJson } from '#contract/platform/json.ts';
import { CHANGE_EVENT, LiveChange } from '#contract/platform/live.ts';

/** The longest unfinished event that is kept, in characters. */
const MAXIMUM_EVENT_LENGTH = 10_000;

/**
 * Reads a stream of server-sent events until it ends.
 * @param onChange called for each change, but not for one that this version does not know
 * @param onRead called whenever something arrives, such as the comments that show that the stream is alive
 * @throws when the connection is lost, and for an endless event
 */
export async function readChanges(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChange: (change: LiveChange) => void,
  onRead: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createParser({
    maxBufferSize: MAXIMUM_EVENT_LENGTH,
    onEvent: ({ event, data }) => {
      const change = event === CHANGE_EVENT ? LiveChange.safeParse(parseJson(data)).data : undefined;
      if (change !== undefined) onChange(change);
    },
    onError: (error) => {
      if (error.type !== 'max-buffer-size-exceeded') return;
      void reader.cancel();
      throw error;
    },
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onRead();
    parser.feed(value);
  }
}
