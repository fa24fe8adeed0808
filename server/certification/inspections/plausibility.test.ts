import { expect, test } from 'vitest';
import type { BrowserFacts } from '#contract/certification/browser-checks.ts';
import type { Machine } from '#contract/certification/machine.ts';
import { unknownMachine } from '#contract/certification/testing/unknown-machine.ts';
import { findImplausibilities } from './plausibility.ts';
import { sampleBrowser } from './testing/sample-check.ts';

const machine: Machine = {
  ...unknownMachine,
  memory: { value: 16, source: 'firmware' },
  screen: { value: { inches: 14, width: 1920, height: 1080 }, source: 'screen' },
  graphics: ['Intel Corporation CometLake-U GT2 [UHD Graphics]'],
};

const subjects = (browser: Partial<BrowserFacts>, measured: Partial<Machine> = {}) =>
  findImplausibilities({ ...sampleBrowser, ...browser }, { ...machine, ...measured }).map(
    ({ subject }) => subject,
  );

test('a browser of the measured laptop is plausible', () => {
  expect(subjects({})).toEqual([]);
});

test.each([
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 3050 Laptop GPU (0x000025A2) Direct3D11)', ['Graphics']],
  ['ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)', ['Graphics']],
  ['AMD Radeon Graphics (radeonsi, renoir)', ['Graphics']],
  // Drawn by the processor, or hidden.
  ['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)', []],
  ['llvmpipe (LLVM 15.0.7, 256 bits) on an AMD processor', []],
  ['Generic Renderer', []],
  ['Mali-G57', []],
])('the renderer %s', (renderer, expected) => {
  expect(subjects({ renderer })).toEqual(expected);
});

test('one of two adapters is enough, and an unknown one may be the browser’s', () => {
  const renderer = 'NVIDIA GeForce MX250';
  expect(subjects({ renderer }, { graphics: [...machine.graphics, 'GeForce MX250'] })).toEqual([]);
  expect(subjects({ renderer }, { graphics: [...machine.graphics, 'Device 1234'] })).toEqual([]);
});

test.each([
  [16, 16, []],
  [8, 64, []],
  [32, 64, []],
  [16, 12, []],
  [16, 32, []],
  [16, 8, ['Memory']],
  [32, 16, ['Memory']],
  [4, 16, ['Memory']],
  [2, 8, ['Memory']],
])('a browser that says %i GB on a laptop with %i GB', (seen, measured, expected) => {
  expect(subjects({ memory: seen }, { memory: { value: measured, source: 'firmware' } })).toEqual(expected);
});

test('a browser that says more than the lower bound of the memory is plausible, one with far less is not', () => {
  const memory = { atLeast: 12, source: 'system' } as const;
  expect(subjects({ memory: 32 }, { memory })).toEqual([]);
  expect(subjects({ memory: 4 }, { memory })).toEqual(['Memory']);
});

test.each([
  [{ width: 1280, height: 720 }, []],
  [{ width: 1366, height: 768 }, []],
  [{ width: 1080, height: 1920 }, []],
  [{ width: 1440, height: 900 }, ['Display']],
])('a browser on a screen of %o', (screen, expected) => {
  expect(subjects({ screen })).toEqual(expected);
});

test('nothing is compared with what is unknown', () => {
  expect(
    subjects({ renderer: 'GeForce', memory: 1, screen: { width: 1, height: 1 } }, {
      memory: null,
      screen: null,
      graphics: [],
    } as const),
  ).toEqual([]);
  expect(subjects({ renderer: null, memory: null, screen: null })).toEqual([]);
});
