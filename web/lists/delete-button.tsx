import { useState } from 'react';
import { Problem } from '#contract/client.ts';
import { Button } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';

interface DeleteButtonProps {
  /** What is deleted, as the confirmation and the message call it. */
  name: string;
  /** What goes with it, in a sentence, where that is not plain. */
  consequence?: string;
  /** Deletes it on the server. @throws Problem */
  remove: () => Promise<{ deletedCount: number }>;
  /** Asks the server for the list again. */
  refresh: () => Promise<void>;
}

/** Deletes one thing after asking; the row goes once the server has answered. */
export function DeleteButton({ name, consequence, remove, refresh }: DeleteButtonProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      const { deletedCount } = await remove();
      // Nothing changed: an earlier try got through whose answer was lost, or somebody else was faster.
      toast.success(deletedCount > 0 ? `${name} deleted successfully` : `${name} was deleted already.`);
    } catch (error) {
      toast.error(error instanceof Problem ? error.message : `${name} could not be deleted.`);
    }
    // Closed before the list changes: the dialog must not vanish together with its row.
    setOpen(false);
    await refresh();
    setBusy(false);
  }

  return (
    <>
      <Button
        look="danger"
        size="small"
        aria-label={`Delete ${name}`}
        busy={busy && 'Deleting..'}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      <AlertDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Are you sure?"
        message={
          <>
            <span className="block font-semibold text-ink wrap-anywhere">{name}</span>
            You won't be able to revert this!
            {consequence !== undefined && <span className="mt-2 block">{consequence}</span>}
          </>
        }
        closeLabel="Cancel"
        confirm={{ label: 'Yes, delete it!', busy: busy && 'Deleting..', onConfirm: () => void confirm() }}
      />
    </>
  );
}
