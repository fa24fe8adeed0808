import type { Laptop } from '#contract/catalogue.ts';
import type { RoleCheck } from '../../session/roles.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ReportAction } from './report-dialog.tsx';
import type { Purchase } from './use-purchase.ts';

/** The props of both card sizes. */
export interface LaptopCardProps {
  laptop: Laptop;
  /** Whether the photo is loaded at once. */
  eager: boolean;
  roles: RoleCheck;
  purchase: Purchase;
  /** Null for the user's own laptop. */
  report: ReportAction | null;
  onBook: () => void;
}

/** Why a user of another role cannot book. */
export function notBuyerMessage({ isSeller }: { isSeller: boolean }): string {
  const role = isSeller ? 'a seller' : 'an administrator';
  return `Booking and the wishlist are for buyers. You are signed in as ${role}.`;
}

interface ReportButtonProps {
  laptop: Laptop;
  report: ReportAction;
  className: string;
}

/** Opens the report dialog; disabled once the laptop is reported. */
export function ReportButton({ laptop, report, className }: ReportButtonProps) {
  return (
    <Button
      variant="quiet"
      size="small"
      className={className}
      disabled={report.reported}
      onClick={report.open}
    >
      <Icon
        d="M4.5 18V3M4.5 3.5h9.7l-1.9 3.4 1.9 3.6H4.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="size-4 shrink-0"
      />
      {report.reported ? 'You reported this item' : 'Report this item'}
      <span className="sr-only">: {laptop.name}</span>
    </Button>
  );
}
