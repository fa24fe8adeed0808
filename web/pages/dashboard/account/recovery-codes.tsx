import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

/** Recovery codes, shown once, to be written down. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const text = `${['Coomercio recovery codes. Each works once.', ...(codes ?? [])].join('\n')}\n`;
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Your recovery codes"
      description="Each stands in once for your second factor, for the day when your phone is lost. They are shown only now: please keep them where you would find them."
    >
      <ul className="figures grid grid-cols-1 gap-x-6 gap-y-1 font-mono min-[24rem]:grid-cols-2">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <a
          className="inline-flex min-h-11 items-center rounded-lg border border-edge px-5 font-semibold hover:bg-sunken"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="coomercio-recovery-codes.txt"
        >
          Download
        </a>
        <Button onClick={onClose}>I have kept them</Button>
      </div>
    </Dialog>
  );
}
