import type { Laptop } from '#contract/listings/catalogue.ts';
import { SmallButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/** The report action of one laptop. */
export interface ReportAction {
  /** Whether the user reported it while this page was open. */
  reported: boolean;
  open: () => void;
}

/** The icon of reporting. */
export function ReportIcon() {
  return <Icon name="flag" className="size-4 shrink-0" />;
}

interface ReportButtonProps {
  laptop: Pick<Laptop, 'name'>;
  report: ReportAction;
  className: string;
}

/** Opens the report dialog; disabled once the laptop is reported. */
export function ReportButton({ laptop, report, className }: ReportButtonProps) {
  return (
    <SmallButton variant="quiet" className={className} disabled={report.reported} onClick={report.open}>
      <ReportIcon />
      {report.reported ? 'You reported this item' : 'Report this item'}
      <span className="sr-only">: {laptop.name}</span>
    </SmallButton>
  );
}
