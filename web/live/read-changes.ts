import { parseJson } from '#contract/platform/json.ts';
import { CHANGE_EVENT, LiveChange } from '#contract/platform/live.ts';

/** The longest unfinished event that is kept, in characters. */
const MAXIMUM_EVENT_LENGTH = 10_000;

/** Parses an event of a stream. @returns null for a comment, and for an event that this version does not know */
function parseEvent(text: string): LiveChange | null {
  const fields = new Map(
    text.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  if (fields.get('event') !== CHANGE_EVENT) return null;
  return LiveChange.safeParse(parseJson(fields.get('data') ?? '')).data ?? null;
}

/**
 * Reads a stream of server-sent events until it ends.
 * @param onChange called for each change
 * @param onRead called whenever something arrives, such as the comments that show that the stream is alive
 * @throws when the connection is lost, and for an endless event
 */
export async function readChanges(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChange: (change: LiveChange) => void,
  onRead: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onRead();
    const events = `${text}${value}`.split('\n\n');
    text = events.pop() ?? '';
    if (text.length > MAXIMUM_EVENT_LENGTH) {
      await reader.cancel();
      throw new Error('An event of the stream has no end.');
    }
    for (const event of events) {
      const change = parseEvent(event);
      if (change !== null) onChange(change);
    }
  }
}
