import { expect, test } from 'vitest';
import { boardName, modelName } from './smbios.ts';
import { maskSerial, toLine, toProcessorName, toSerial } from './values.ts';

test.each([
  '0',
  '-',
  '--',
  '00000000',
  '9999',
  '........',
  'XXXX',
  '123456789',
  '0123456789',
  '0123456789ABCDEF',
  'Default string',
  'OEM Default string000',
  'To be filled by O.E.M.',
  'To Be Filled By O.E.M',
  'Fill By OEM',
  'Default_string',
  '<BAD INDEX>',
  '<OUT OF SPEC>',
  '$(DEFAULT_STRING)',
  'Not Specified',
  'Not Applicable',
  'System Product Name',
  'System manufacturer',
  'Base Board Product Name',
  'Type1ProductConfigId',
  'Type2 - Board Vendor Name1',
  'TBD',
  ' Unknown ',
  'Unknow',
  'Uninitialized',
  'Not Set',
  'NULL String',
  'O.E.M',
  'Type1Family',
])('%j is a placeholder', (text) => {
  expect(toLine(text)).toBeNull();
});

test.each(['A', 'AA', '20S0000LUS', 'Laptop', 'Type 4 Notebook', '530U3BI/530U4BI', 'X55U', '1234'])(
  '%j is a value',
  (text) => {
    expect(toLine(text)).toBe(text);
  },
);

test.each([
  'NB-1234567890',
  'BSN12345678901234567',
  'SSN12345678901234567',
  'ABCDEFGH',
  'SerNum0',
  'A1_SerNum0',
  'Default',
  'INSYDE Corp.',
  'To be filled by O.E.M.',
  'Default string',
  '00000000',
  'XXXXXXXXXX',
  '0000-0000-0000',
  '1234',
  ' ',
  'Notebook',
])('%j is the serial number of many machines', (text) => {
  expect(toSerial(text)).toBeNull();
});

test.each([
  'PF3ABCDE',
  '5CG0123XYZ',
  'C02XK0AAJGH5',
  'HJKLMNPQRS',
  'JKBW2Y2',
  'S4ENNX0N123456',
  'NXVHWEF0029',
])('%j is a serial number', (text) => {
  expect(toSerial(text)).toBe(text);
});

test.each([
  'CPU Version',
  '<BAD INDEX>',
  'Genuine Intel(R) CPU',
  'Genuine Intel(R) CPU 0000 @ 2.40GHz',
  'Intel(R) CPU @ 1.80GHz',
  'C1',
  'A0',
  'Engineering Sample',
  'AMD Eng Sample: 100-000000263-30_Y',
  'New Processor Technology',
  'AMD Processor',
  'Intel(R) Corporation',
  'OEM Default string000',
  'GenuineIntel',
  'Intel(R) Core(TM) CPU',
  'Dual Core',
  'CPU0',
])('%j names no processor', (text) => {
  expect(toProcessorName(text)).toBeNull();
});

test.each([
  'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz',
  'Genuine Intel(R) CPU T2400 @ 1.83GHz',
  'Pentium(R) Dual-Core CPU T4200 @ 2.00GHz',
  'Intel(R) Celeron(R) CPU N3060 @ 1.60GHz',
  'Intel(R) N100',
  'AMD C-60 APU with Radeon(tm) HD Graphics',
  'AMD Ryzen 5 4500U with Radeon Graphics',
  'Intel(R) Core(TM) 7 150U',
  'Intel(R) Core(TM)2 CPU T5500 @ 1.66GHz',
])('%j names a processor', (text) => {
  expect(toProcessorName(text)).toBe(text);
});

test.each([
  ['LENOVO', '20S0000LUS', 'ThinkPad T14 Gen 1', 'ThinkPad T14 Gen 1'],
  ['LENOVO', '20AY008ART', 'Lenovo', '20AY008ART'],
  ['LENOVO', '4334', 'Lenovo G570', 'Lenovo G570'],
  ['Notebook', 'Notebook', '2.2A', null],
  ['Razer', 'Blade', '6.06', 'Blade'],
  [null, 'Blade', null, 'Blade'],
])('the model of %s, %s, version %s is %s', (maker, product, version, model) => {
  expect(modelName(maker, product, version)).toBe(model);
});

test('a mainboard whose model repeats its maker is unknown', () => {
  expect(boardName('Razer', 'Razer')).toBeNull();
});

test('a serial number is shown without its middle, a short one as well, so that it can be compared', () => {
  expect(['PF3ABCDE', '5CD7QX3', '1ABC2D', '4FX91'].map(maskSerial)).toEqual([
    'PF3…DE',
    '5C…X3',
    '1A…D',
    '4…1',
  ]);
});
