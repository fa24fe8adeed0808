import type { Machine } from '../machine.ts';

/** A measurement in which nothing was read. */
export const unknownMachine: Machine = {
  maker: null,
  model: null,
  serial: null,
  board: null,
  firmwareDate: null,
  processor: null,
  memory: null,
  memoryModules: null,
  drives: [],
  screen: null,
  graphics: [],
  system: null,
  battery: null,
  locks: {
    firmwarePassword: 'unknown',
    absolute: 'unknown',
    management: 'unknown',
    activationLock: 'unknown',
  },
  tpm: 'unknown',
};
