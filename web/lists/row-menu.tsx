import { type RefObject, useRef, useState } from 'react';
import { Problem } from '#contract/platform/client.ts';
import { SmallButton } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';

/** The deletion of an item. */
export interface Deletion {
  /** A sentence about what else the deletion changes. */
  consequence: string;
  /** Sends the request. @throws Problem */
  remove: () => Promise<{ deletedCount: number; message?: string | undefined }>;
  /** Refetches the list. */
  refresh: () => Promise<void>;
}

interface RowMenuProps {
  /** The name of the item, for accessible names, the confirmation and the toast. */
  name: string;
  /** Left out: the item cannot be deleted. */
  deletion?: Deletion | undefined;
  /** Other items of the menu, before Delete. */
  items?: readonly MenuItem[];
  /** The menu's button, for dialogs of `items` that return the focus to it. */
  buttonRef?: RefObject<HTMLButtonElement | null>;
}

/** The menu of a row; a button where Delete is its only item. Delete asks for a confirmation; the row disappears with the refetched list. */
export function RowMenu({ name, deletion, items = [], buttonRef }: RowMenuProps) {
  const ownRef = useRef<HTMLButtonElement>(null);
  const button = buttonRef ?? ownRef;
  const [isOpen, setIsOpen] = useState(false);
  const deleteLabel = `Delete ${name}`;
  const askToDelete = () => setIsOpen(true);
  return (
    <>
      {items.length === 0 && deletion !== undefined ? (
        <SmallButton
          ref={button}
          variant="quiet"
          aria-label={deleteLabel}
          className="min-h-11 text-danger! hover:bg-danger-soft!"
          onClick={askToDelete}
        >
          Delete
        </SmallButton>
      ) : (
        <Menu
          label={`More actions for ${name}`}
          buttonRef={button}
          items={[
            ...items,
            ...(deletion === undefined
              ? []
              : [{ text: 'Delete', label: deleteLabel, isDangerous: true, onClick: askToDelete }]),
          ]}
        />
      )}
      {deletion !== undefined && (
        <DeleteDialog
          name={name}
          deletion={deletion}
          open={isOpen}
          onClose={() => setIsOpen(false)}
          finalFocus={() => button.current}
        />
      )}
    </>
  );
}

interface DeleteDialogProps extends Required<Pick<RowMenuProps, 'name'>> {
  deletion: Deletion;
  open: boolean;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

function DeleteDialog({ name, deletion, open, onClose, finalFocus }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      const { deletedCount, message } = await deletion.remove();
      // A count of 0: an earlier request whose response was lost, or another user, deleted it.
      toast.success(deletedCount > 0 ? `${name} deleted successfully` : `${name} was deleted already.`);
      if (message !== undefined) toast.success(message);
    } catch (error) {
      toast.error(error instanceof Problem ? error.message : `${name} could not be deleted.`);
    }
    // The dialog closes before the refetch, which unmounts it together with its row.
    onClose();
    await deletion.refresh();
    setBusy(false);
  }

  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Are you sure?"
      message={
        <>
          <span className="block font-semibold text-foreground wrap-anywhere">{name}</span>
          You won't be able to revert this!
          <span className="mt-2 block">{deletion.consequence}</span>
        </>
      }
      closeLabel="Cancel"
      confirm={{ label: 'Yes, delete it!', busy: busy && 'Deleting..', onConfirm: () => void confirm() }}
      finalFocus={finalFocus}
    />
  );
}
