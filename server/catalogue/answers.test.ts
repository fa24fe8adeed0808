import { expect, test } from 'vitest';
import { createAnswers, type Kept } from './answers.ts';

const answer = (etag: string): Kept => ({ json: Buffer.from('[]'), etag, next: null });

/** Asks for `key` as often as is said. @returns how often it had to be made */
async function ask(answers: ReturnType<typeof createAnswers>, key: string, times: number): Promise<number> {
  let made = 0;
  for (let time = 0; time < times; time += 1) {
    await answers.get(key, async () => {
      made += 1;
      return answer(key);
    });
  }
  return made;
}

test('what is asked for again is kept, also over a change; what is asked for once is not', async () => {
  const answers = createAnswers();
  answers.open();
  expect(await ask(answers, 'first page', 1)).toBe(1);
  expect(answers.known('first page')).toBeUndefined();
  expect(await ask(answers, 'first page', 3)).toBe(1);
  expect(answers.known('first page')?.etag).toBe('first page');
  answers.forget();
  expect(answers.known('first page')).toBeUndefined();
  expect(await ask(answers, 'first page', 3)).toBe(1);
});

test('nothing is kept while changes are not heard of', async () => {
  const answers = createAnswers();
  expect(await ask(answers, 'first page', 3)).toBe(3);
  answers.open();
  await ask(answers, 'first page', 2);
  answers.close();
  expect(answers.known('first page')).toBeUndefined();
  expect(await ask(answers, 'first page', 2)).toBe(2);
  // A change made here is heard of without the ear, others' are not.
  answers.forget();
  expect(await ask(answers, 'first page', 2)).toBe(2);
  answers.open();
  expect(await ask(answers, 'first page', 2)).toBe(1);
});

test('what was read before a change is not kept after it', async () => {
  const answers = createAnswers();
  answers.open();
  await ask(answers, 'first page', 1);
  await answers.get('first page', async () => {
    answers.forget();
    return answer('old');
  });
  expect(answers.known('first page')).toBeUndefined();
});
