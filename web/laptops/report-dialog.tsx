import * as z from 'zod/mini';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { NewReport, reportLaptop, reportReasons } from '#contract/listings/reports.ts';
import { ReportDialog } from '../forms/report-dialog.tsx';
import { useApi } from '../session/session.tsx';

const schema = z.pick(NewReport, { reason: true, note: true });

interface ReportLaptopDialogProps {
  laptop: Pick<Laptop, '_id' | 'name'>;
  open: boolean;
  onClose: () => void;
  /** Called when the report is filed, or was filed before. */
  onReported: () => void;
}

/** The dialog that reports a laptop. */
export function ReportLaptopDialog({ laptop, open, onClose, onReported }: ReportLaptopDialogProps) {
  const api = useApi();
  return (
    <ReportDialog
      title="Report this item"
      description={
        <p>
          Tell the shop’s administrators what is wrong with{' '}
          <strong className="text-foreground">{laptop.name}</strong>. They read every report, and you are told
          the result by email.
        </p>
      }
      target={{
        id: laptop._id,
        name: laptop.name,
        reasons: reportReasons,
        schema,
        noteHint: 'What you saw, and where. The seller is not told who you are.',
        send: (body, idempotencyKey) =>
          api.call(reportLaptop, { body: { productCode: laptop._id, ...body }, idempotencyKey }),
      }}
      open={open}
      onClose={onClose}
      onReported={onReported}
    />
  );
}
