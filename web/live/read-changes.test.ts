import { expect, test, vi } from 'vitest';
import type { LiveChange } from '#contract/platform/live.ts';
import { readChanges } from './read-changes.ts';

const bodyOf = (...chunks: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
  ).body ?? new ReadableStream();

async function changesOf(...chunks: string[]): Promise<LiveChange[]> {
  const changes: LiveChange[] = [];
  await readChanges(
    bodyOf(...chunks),
    (change) => changes.push(change),
    () => undefined,
  );
  return changes;
}

test('events are read however they are split', async () => {
  expect(
    await changesOf(
      'event: change\ndata: {"about":"everything"}\n\nevent: ch',
      'ange\ndata: {"about":"messages","id"',
      ':"7"}\n',
      '\n',
    ),
  ).toEqual([{ about: 'everything' }, { about: 'messages', id: '7' }]);
});

test('comments, unknown events and events without an end are left out', async () => {
  expect(
    await changesOf(
      ':\n\n',
      'event: weather\ndata: {"about":"messages"}\n\n',
      'event: change\ndata: {"about":"weather"}\n\n',
      'event: change\ndata: {\n\n',
      'event: change\ndata: {"about":"notifications"}\n\n',
      'event: change\ndata: {"about":"messages"}\n',
    ),
  ).toEqual([{ about: 'notifications' }]);
});

test('whatever arrives is reported', async () => {
  const onRead = vi.fn();
  await readChanges(bodyOf(':\n\n', ':\n\n'), () => undefined, onRead);
  expect(onRead).toHaveBeenCalledTimes(2);
});

test('an endless event ends the reading', async () => {
  await expect(changesOf('x'.repeat(8_000), 'x'.repeat(8_000))).rejects.toThrow('10000');
});
