import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './iso-time.ts';

test('a time is formatted as the language does it', () => {
  const time = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
  const near = fc.tuple(time, fc.array(fc.integer({ min: -90_000_000, max: 90_000_000 })));
  fc.assert(
    fc.property(near, ([first, offsets]) => {
      const times = [first, ...offsets.map((offset) => first + offset)].filter(
        (at) => Math.abs(at) <= 8.64e15,
      );
      expect(times.map(isoTime)).toEqual(times.map((at) => new Date(at).toISOString()));
    }),
  );
});
