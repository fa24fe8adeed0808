import { expect, test } from 'vitest';
import { type Machine, machineName } from './machine.ts';

const read = (value: string): Machine['maker'] => ({ value, source: 'firmware' });

test.each([
  [read('LENOVO'), read('ThinkPad T14'), 'LENOVO ThinkPad T14'],
  [read('HP'), read('HP EliteBook 830 G10'), 'HP EliteBook 830 G10'],
  [read('HP'), read('HPE machine'), 'HP HPE machine'],
  [null, read('Swift 5'), 'Swift 5'],
  [read('Acer'), null, 'Acer'],
  [null, null, null],
])('a machine of %o with the model %o is named %s', (maker, model, name) => {
  expect(machineName({ maker, model })).toBe(name);
});
