import type { ReactNode } from 'react';
import { Section as TitledSection } from '../../../ui/section.tsx';

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the page with its heading, which can take the focus. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <TitledSection title={title} id={id} takesFocus heading="mb-4 text-xl" className="card">
      {children}
    </TitledSection>
  );
}
