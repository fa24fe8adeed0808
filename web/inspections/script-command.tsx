import type { InspectionScript, MeasuredSystem } from '#contract/certification/inspections.ts';
import { SecondaryButton } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

/** How a person opens a terminal on the laptop. Windows hides some values from anybody but an administrator. */
export const terminals = {
  linux: 'open a terminal',
  windows: 'right-click the Start button, choose “Terminal (Admin)” or “Windows PowerShell (Admin)”',
  macos: 'open Terminal: press Command and the space bar, type “Terminal”',
} as const satisfies Record<MeasuredSystem, string>;

/** What the script cannot read without an administrator’s rights. */
const withoutAdministrator: Readonly<Partial<Record<MeasuredSystem, string>>> = {
  linux:
    'sudo asks for your password. As root, or without the right to use sudo, leave the word out. Without administrator rights the serial number is unknown and the memory only a lower bound, so the laptop does not count as measured.',
  windows: 'It also runs without an administrator; the wear of the drives is then unknown.',
};

/** A line to type in a terminal. */
export function CommandLine({ children }: { children: string }) {
  return (
    <pre className="mt-2 whitespace-pre-wrap wrap-anywhere rounded-lg bg-subtle p-4 font-mono text-sm">
      {children}
    </pre>
  );
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    toast.success('The command is copied.');
  } catch {
    // Browsers forbid it without a secure connection, or when the person has not allowed it.
    toast.error('This browser does not copy. Please select the command and copy it.');
  }
}

/** The command that measures the laptop, and how to read its script first. */
export function ScriptCommand({ script: { system, command, url, sha256 } }: { script: InspectionScript }) {
  return (
    <>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-prose">On the laptop, {terminals[system]}, and run:</p>
        <SecondaryButton onClick={() => void copy(command)}>Copy the command</SecondaryButton>
      </div>
      <CommandLine>{command}</CommandLine>
      {withoutAdministrator[system] !== undefined && (
        <p className="mt-2 max-w-prose text-muted text-sm">{withoutAdministrator[system]}</p>
      )}
      <p className="mt-2 text-muted text-sm">
        It installs nothing, and shows what it will send before it asks.{' '}
        <a href={url} className="underline">
          Read the script
        </a>
      </p>
      <details className="text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-muted">
          Check that it is the same script
        </summary>
        <p className="text-muted">
          Its SHA-256: <span className="font-mono wrap-anywhere">{sha256}</span>
        </p>
      </details>
    </>
  );
}
