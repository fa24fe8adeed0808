import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { href } from 'react-router';
import {
  CODE_MINUTES,
  type InspectionScript,
  MAXIMUM_REPORT_CHARACTERS,
  MeasuredSystem,
  type MeasurementCode,
  measuredSystems,
} from '#contract/certification/inspections.ts';
import { DateTime } from '../formats/date-time.tsx';
import { Button, SecondaryButton } from '../ui/button.tsx';
import { ErrorText } from '../ui/error-text.tsx';
import { Field, FileInput, Options, Select } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

/** How a person opens a terminal on the laptop. Windows hides some values from anybody but an administrator. */
const terminals = {
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
function CommandLine({ children }: { children: string }) {
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
function ScriptCommand({ script: { system, command, url, sha256 } }: { script: InspectionScript }) {
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

interface ReportWaitProps {
  /** When the code expires, ISO 8601. */
  expiresAt: string;
  /** Whether the report came since the code was given. */
  hasArrived: boolean;
}

/** Says until when the page waits for a report, and how the wait ended. */
function ReportWait({ expiresAt, hasArrived }: ReportWaitProps) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    const timer = setTimeout(() => setOver(true), Math.max(0, Date.parse(expiresAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return (
    <p role="status" className="mt-1 max-w-prose font-semibold">
      {hasArrived ? (
        'The report has arrived.'
      ) : isOver ? (
        'The code has expired, and no report came. Get another code to go on.'
      ) : (
        <>
          Waiting for the report until <DateTime at={expiresAt} />. This page shows it within seconds, also
          when you come back to it.
        </>
      )}
    </p>
  );
}

/** The system that the page is opened on, as its browser reports it. */
function thisSystem(): MeasuredSystem {
  const agent = navigator.userAgent;
  if (agent.includes('Windows')) return 'windows';
  return agent.includes('Mac OS') ? 'macos' : 'linux';
}

/** A numbered step. The number of the list itself is lost where its items are laid out. */
function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden="true"
        className="figures grid size-7 place-items-center rounded-full bg-accent-soft font-semibold text-accent text-sm"
      >
        {number}
      </span>
      <div>
        <h3 className="text-lg">{title}</h3>
        {children}
      </div>
    </li>
  );
}

/** The tests in the browser, which take the same code. */
function CheckLink({ code }: { code: string }) {
  return (
    <p className="mt-1 max-w-prose">
      Keyboard, touchpad, screen, camera, sound, with nothing to install: on the laptop,{' '}
      {/* Not a link of the application: only the page’s own document may use camera and microphone. */}
      <a href={`${href('/check')}#${code}`} target="_blank" rel="noreferrer" className="link font-semibold">
        open the tests
      </a>
      , or type <span className="font-mono wrap-anywhere">{`${location.host}${href('/check')}`}</span> there
      and enter the code. The next step takes the same code.
    </p>
  );
}

/** How a person finds the home folder, in which the script is run. */
const homeFolders = {
  linux: '',
  windows: ' (C:\\Users\\ and your name)',
  macos: ' (in Finder: Go, Home)',
} as const satisfies Record<MeasuredSystem, string>;

interface ReportFileProps extends Pick<MeasureFormProps, 'onReport'> {
  sendReport: (report: string) => Promise<void>;
  script: InspectionScript | undefined;
}

/** Takes the file that a script wrote on a laptop without a network. */
function ReportFile({ script, sendReport, onReport }: ReportFileProps) {
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAXIMUM_REPORT_CHARACTERS * 3)
        throw new Error('This is not a report: the file is too large.');
      await sendReport(await file.text());
    },
    onSuccess: onReport,
  });
  return (
    <details className="mt-6 border-border border-t pt-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">No network on that laptop?</summary>
      {script !== undefined && (
        <>
          <p className="mt-1 max-w-prose">
            <a href={script.url} download className="underline">
              Save the script
            </a>
            , copy it to the home folder of the laptop{homeFolders[script.system]}, {terminals[script.system]}
            , and run:
          </p>
          <CommandLine>{script.fileCommand}</CommandLine>
        </>
      )}
      <label className="mt-3 block max-w-prose">
        Choose the file that it wrote:
        <FileInput
          accept="text/plain,.txt"
          className="mt-2 block w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-lg file:border file:border-border-strong file:bg-surface file:px-5 file:font-semibold file:text-foreground"
          onFiles={([file]) => file !== undefined && upload.mutate(file)}
        />
      </label>
      <p role="status" className="empty:sr-only">
        {upload.isPending && 'Uploading the report'}
      </p>
      {upload.isError && <ErrorText className="mt-2">{upload.error.message}</ErrorText>}
    </details>
  );
}

interface MeasureFormProps {
  /** Requests a code. @throws Problem */
  createCode: () => Promise<MeasurementCode>;
  /** Sends a report file; left out where none is taken. @throws Problem */
  sendReport?: (report: string) => Promise<void>;
  /** The time of the latest measurement, ISO 8601; null without one. */
  measuredAt: string | null;
  /** @param expiresAt when the new code expires, ISO 8601 */
  onCode: (expiresAt: string) => void;
  onReport: () => void;
  /** What measured the laptop before: its system is the one to choose first. */
  measuredWith: MeasuredSystem | null;
  /** Whether the code also serves the tests in the laptop’s browser. */
  hasBrowserTests: boolean;
}

/** Gives a code and the command to run, or takes a report file. */
export function MeasureForm(props: MeasureFormProps) {
  const { createCode, sendReport, measuredAt, onCode, onReport, measuredWith, hasBrowserTests } = props;
  // A phone at the meeting is not the laptop.
  const [system, setSystem] = useState(() => measuredWith ?? thisSystem());
  const [measuredBefore, setMeasuredBefore] = useState(measuredAt);
  const code = useMutation({
    mutationFn: createCode,
    onSuccess: ({ expiresAt }) => {
      setMeasuredBefore(measuredAt);
      onCode(expiresAt);
    },
  });
  const script = code.data?.scripts.find((each) => each.system === system);
  return (
    <Section title="Get a code" id="code" className="card">
      <p className="mt-1 mb-4 max-w-prose text-muted">
        A code works for {CODE_MINUTES} minutes, once
        {hasBrowserTests && <> for the tests in the browser, and once for the script</>}. Open this page on
        the laptop itself, or type the command there.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="The laptop runs">
          <Select value={system} onChange={(event) => setSystem(MeasuredSystem.parse(event.target.value))}>
            <Options values={MeasuredSystem.options} label={(value) => measuredSystems[value]} />
          </Select>
        </Field>
        <Button onClick={() => code.mutate()} busy={code.isPending && 'Getting a code'}>
          {code.data === undefined ? 'Get a code' : 'Get another code'}
        </Button>
      </div>
      {code.isError && (
        <div className="mt-4">
          <ErrorState message={code.error.message} onRetry={() => code.mutate()} />
        </div>
      )}
      {code.data !== undefined && (
        <div aria-live="polite">
          <p className="figures mt-5 font-mono text-2xl">{code.data.code}</p>
          <p className="text-muted">
            until <DateTime at={code.data.expiresAt} />
          </p>
          <ol className="mt-6 flex flex-col gap-6">
            {hasBrowserTests && (
              <Step number={1} title="Test the laptop in its browser">
                <CheckLink code={code.data.code} />
              </Step>
            )}
            {script !== undefined && (
              <Step number={hasBrowserTests ? 2 : 1} title="Let the laptop report its parts">
                <ScriptCommand script={script} />
              </Step>
            )}
            <Step number={hasBrowserTests ? 3 : 2} title="See the report here">
              <ReportWait expiresAt={code.data.expiresAt} hasArrived={measuredAt !== measuredBefore} />
            </Step>
          </ol>
          {sendReport !== undefined && (
            <ReportFile script={script} sendReport={sendReport} onReport={onReport} />
          )}
        </div>
      )}
    </Section>
  );
}
