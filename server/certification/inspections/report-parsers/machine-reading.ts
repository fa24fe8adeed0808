import type { Machine, Source } from '#contract/certification/machine.ts';

/** Serial numbers and keys, which are personal data. They exist in memory only and are stored as keyed hashes. */
export interface MachineIdentity {
  maker: string | null;
  serial: string | null;
  boardSerial: string | null;
  driveSerials: string[];
  /** Hexadecimal; null without a quote that verifies. */
  tpmKey: string | null;
}

/** What was read of a report: what can be shown, and apart from it what identifies the machine. */
export interface MachineReading {
  machine: Machine;
  identity: MachineIdentity;
}

/** What a system's sections say: all but the TPM's quote, which is over the report's code. */
export interface SystemReading {
  machine: Omit<Machine, 'tpm'>;
  identity: Omit<MachineIdentity, 'tpmKey'>;
}

/** A value with its source, or null when there is none. */
export function valueFrom<Value>(
  source: Source,
  value: Value | null,
): { value: Value; source: Source } | null {
  return value === null ? null : { value, source };
}
