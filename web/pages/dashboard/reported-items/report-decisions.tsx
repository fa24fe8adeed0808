import { dismissReports, type ReportedItem, takeDownLaptop } from '#contract/listings/reports.ts';
import { type Decision, Decisions } from '../../../forms/decisions.tsx';

/** Who is told the result. The shop's own reports have no reporter; of many reports only the latest are known. */
function toldReporters({ reports, reportCount }: ReportedItem): string[] {
  const people = reports.filter(({ by, state }) => by === 'person' && state === 'Open').length;
  if (people === 0 && reports.length === reportCount) return [];
  return people === 1 && reports.length === reportCount
    ? ['A person who reported it is told the result by email.']
    : ['The people who reported it are told the result by email.'];
}

function decisionsOn(item: ReportedItem): Record<ReportedItem['actions'][number], Decision> {
  const { productName: name, productState } = item;
  const params = { _id: item._id };
  const reporters = toldReporters(item);
  return {
    dismiss: {
      button: 'Dismiss',
      busy: 'Dismissing',
      isDangerous: false,
      title: 'Dismiss the reports?',
      consequences: [
        productState === 'Available'
          ? 'The open reports are closed, and the laptop stays in the shop.'
          : 'The open reports are closed. Nothing else changes.',
        ...reporters,
        'The seller is not told.',
      ],
      field: 'note',
      label: 'Note',
      hint: 'Why, for the history and the audit trail. Only administrators read it.',
      endpoint: dismissReports,
      params,
      done: `The reports of ${name} are dismissed.`,
      alreadyDone: `The reports of ${name} were dismissed already.`,
    },
    takeDown: {
      button: 'Take down',
      busy: 'Taking down',
      isDangerous: true,
      title: 'Take it down?',
      consequences: [
        'The laptop leaves the shop at once, its advertisement too. This cannot be undone.',
        'Its seller is told by email, with your note, and reads it on My Products.',
        'Unpaid bookings of it are cancelled, and their buyers are told.',
        ...reporters,
      ],
      field: 'note',
      label: 'Note to the seller',
      hint: 'Why it leaves the shop, and what the seller can do.',
      endpoint: takeDownLaptop,
      params,
      done: `${name} is taken down.`,
      alreadyDone: `${name} was taken down already.`,
    },
  };
}

interface ReportDecisionsProps {
  item: ReportedItem;
  /** Refetches the laptop. */
  refresh: () => Promise<void>;
  /** The element to focus after the buttons are removed. */
  finalFocus: () => HTMLElement | null;
}

/** The decisions on a reported laptop. */
export function ReportDecisions({ item, refresh, finalFocus }: ReportDecisionsProps) {
  const decisions = decisionsOn(item);
  return (
    <Decisions
      name={item.productName}
      decisions={item.actions.map((action) => decisions[action])}
      refresh={refresh}
      finalFocus={finalFocus}
    >
      {item.productState === 'Sold' && (
        <p className="text-muted text-sm">It is sold and paid for, so it can no longer be taken down.</p>
      )}
    </Decisions>
  );
}
