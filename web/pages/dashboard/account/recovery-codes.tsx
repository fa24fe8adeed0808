import { slugOf } from '#contract/listings/slug.ts';
import { useShop } from '../../../session/session.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';

/** Shows new recovery codes once. Only the button closes the dialog. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const { name } = useShop();
  const text = `${[`${name} recovery codes. Each works once.`, ...(codes ?? [])].join('\n')}\n`;
  return (
    <AlertDialog
      open={codes !== null}
      onClose={onClose}
      ignoresEscape
      title="Your recovery codes"
      message="Each code replaces your second factor once, for example when your phone is lost. They are shown only now: please store them in a safe place."
      closeLabel="I have stored them"
    >
      <ul className="figures mt-5 grid grid-cols-1 gap-x-6 gap-y-1 font-mono min-[24rem]:grid-cols-2">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a
        className="mt-6 inline-flex min-h-11 items-center rounded-lg border border-border-strong px-5 font-semibold hover:bg-subtle"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download={`${slugOf(name)}-recovery-codes.txt`}
      >
        Download
      </a>
    </AlertDialog>
  );
}
