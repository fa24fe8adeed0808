import { createHmac } from 'node:crypto';
import type { Machine } from '#contract/certification/machine.ts';
import type { MachineIdentity } from './report-parsers/machine-reading.ts';

/** Keyed hashes of what identifies a machine and its parts, hexadecimal; null for what could not be read. */
export interface MachineHashes {
  machine: string | null;
  board: string | null;
  drives: string[];
  tpm: string | null;
}

/** A measurement of which it is known what each hash is of. */
export interface MeasuredMachine {
  machine: Machine;
  hashes: MachineHashes;
}

/** Apple's firmware says `Apple Inc.`, which other systems than macOS report. It is the same machine. */
const makerOf = (maker: string | null): string => (/^apple\b/i.test(maker ?? '') ? 'Apple' : (maker ?? ''));

/** Hashes serial numbers and the TPM's key, which are not stored themselves. */
export function hashIdentity(machineKey: Uint8Array, identity: MachineIdentity): MachineHashes {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', machineKey).update(`${kind}\n${value.toUpperCase()}`).digest('hex');
  const { maker, serial, boardSerial, driveSerials, tpmKey } = identity;
  return {
    machine: serial === null ? null : hash('machine', `${makerOf(maker)}\n${serial}`),
    board: boardSerial === null ? null : hash('board', boardSerial),
    drives: driveSerials.map((driveSerial) => hash('drive', driveSerial)),
    tpm: tpmKey === null ? null : hash('tpm', tpmKey),
  };
}

/** The hashes of a machine's parts. */
export const partHashes = ({ board, drives, tpm }: MachineHashes): string[] => [
  ...(board === null ? [] : [board]),
  ...drives,
  ...(tpm === null ? [] : [tpm]),
];
