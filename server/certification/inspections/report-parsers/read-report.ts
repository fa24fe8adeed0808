import type { MeasuredSystem } from '#contract/certification/inspections.ts';
import { MAXIMUM_DRIVES, Machine } from '#contract/certification/machine.ts';
import { parseHexDump } from './edid.ts';
import { readLinuxReport } from './linux.ts';
import type { MachineReading, SystemReading } from './machine-reading.ts';
import { readMacosReport } from './macos.ts';
import type { Report } from './report.ts';
import { verifyTpmQuote } from './tpm-quote.ts';
import { readWindowsReport } from './windows.ts';

const readers: Record<MeasuredSystem, (sections: Report['sections']) => SystemReading> = {
  linux: readLinuxReport,
  windows: readWindowsReport,
  macos: readMacosReport,
};

/** The TPM's key, hexadecimal; null without a quote. @returns the reason in words if the quote does not verify */
function readTpmKey({ code, sections }: Report): { key: string | null } | { problem: string } {
  if (![...sections.keys()].some((name) => name.startsWith('tpm/'))) return { key: null };
  const bytes = (name: string) => parseHexDump(sections.get(`tpm/${name}`) ?? '');
  const [publicKey, attestation, signature] = [bytes('key'), bytes('quote'), bytes('signature')];
  const isComplete = publicKey !== null && attestation !== null && signature !== null;
  const key = isComplete ? verifyTpmQuote({ key: publicKey, attestation, signature }, code) : null;
  // The script writes a quote over the report's code or none. Another one shows that the report was changed or put together.
  if (key === null) {
    return {
      problem:
        'The signature of the security chip (TPM) in this report is damaged or belongs to another code. Nothing was kept. Please run the script again.',
    };
  }
  return { key };
}

/**
 * Reads what a laptop reported. What is missing or not understood is unknown.
 * It runs in one step. Its time is bounded by the report's length and number of lines, because no reader takes more than a fixed
 * number of passes over a text (read-report.test.ts).
 * @returns the reason in words if the report cannot be one that the script has written
 */
export function readReport(report: Report): MachineReading | { problem: string } {
  const tpm = readTpmKey(report);
  if ('problem' in tpm) return tpm;
  const { machine, identity } = readers[report.system](report.sections);
  return {
    // A reader that lets a longer text through is a mistake; it must not be stored.
    machine: Machine.parse({
      ...machine,
      drives: machine.drives.slice(0, MAXIMUM_DRIVES),
      tpm: tpm.key === null ? 'unknown' : 'quoted',
    }),
    identity: {
      ...identity,
      driveSerials: identity.driveSerials.slice(0, MAXIMUM_DRIVES),
      tpmKey: tpm.key,
    },
  };
}
