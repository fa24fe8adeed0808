import { useState } from 'react';
import { Problem } from '#contract/client.ts';
import { Button } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';

interface DeleteButtonProps {
  /** The name of the item, for the confirmation and the toast. */
  name: string;
  /** A sentence about what else the deletion changes. */
  consequence?: string;
  /** Sends the request. @throws Problem */
  remove: () => Promise<{ deletedCount: number }>;
  /** Refetches the list. */
  refresh: () => Promise<void>;
}

/** Deletes an item after a confirmation. The row disappears with the refetched list. */
export function DeleteButton({ name, consequence, remove, refresh }: DeleteButtonProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      const { deletedCount } = await remove();
      // A count of 0: an earlier request whose response was lost, or another user, deleted it.
      toast.success(deletedCount > 0 ? `${name} deleted successfully` : `${name} was deleted already.`);
    } catch (error) {
      toast.error(error instanceof Problem ? error.message : `${name} could not be deleted.`);
    }
    // The dialog closes before the refetch, which unmounts it together with its row.
    setOpen(false);
    await refresh();
    setBusy(false);
  }

  return (
    <>
      <Button
        variant="danger"
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
