import { useState } from 'react';
import type { Laptop } from '#contract/catalogue.ts';
import { usePerson } from '../../session/session.tsx';
import { ReportDialog } from './report-dialog.tsx';

/** Reporting one laptop, as its card offers it. */
export interface Reportable {
  /** Whether this person has reported it, as far as this page knows. */
  reported: boolean;
  open: () => void;
}

/**
 * Which laptops can be reported, and the dialog in which that is done.
 * @returns `of`: null for the person's own laptop; `dialog`: to be placed once on the page
 */
export function useReporting() {
  const { email } = usePerson();
  const [opened, setOpened] = useState<Laptop | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [reported, setReported] = useState<readonly string[]>([]);
  return {
    of(laptop: Laptop): Reportable | null {
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
