import { useState } from 'react';
import type { Laptop } from '#contract/catalogue.ts';
import { usePerson } from '../../session/session.tsx';
import { ReportDialog } from './report-dialog.tsx';

/** The report action of one card. */
export interface ReportAction {
  /** Whether the user reported it while this page was open. */
  reported: boolean;
  open: () => void;
}

/**
 * The report dialog of a list of laptops.
 * @returns `actionFor`: null for the user's own laptop; `dialog`: to render once on the page
 */
export function useReportDialog() {
  const { email } = usePerson();
  const [opened, setOpened] = useState<Laptop | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [reported, setReported] = useState<readonly string[]>([]);
  return {
    actionFor(laptop: Laptop): ReportAction | null {
      if (laptop.seller_email === email) return null;
      return {
        reported: reported.includes(laptop._id),
        open: () => {
          setOpened(laptop);
          setIsOpen(true);
        },
      };
    },
    dialog: opened && (
      <ReportDialog
        key={opened._id}
        laptop={opened}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        onReported={() => setReported((before) => [...before, opened._id])}
      />
    ),
  };
}
