import { type RefObject, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { Callable } from '#contract/platform/client.ts';
import { WriteQuestion } from '../forms/write-button.tsx';
import { SmallButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';

/** The call of a deletion. */
export type DeletingEndpoint = Callable &
  Readonly<{ response: z.ZodMiniType<{ deletedCount: number; message?: string | undefined }> }>;

/** The deletion of an item. */
export interface Deletion {
  /** A sentence about what else the deletion changes. */
  consequence: string;
  endpoint: DeletingEndpoint;
  _id: string;
}

interface RowMenuProps {
  /** The name of the item, for accessible names, the confirmation and the toast. */
  name: string;
  /** Left out: the item cannot be deleted. */
  deletion?: Deletion | undefined;
  /** Other actions of the menu, before Delete. */
  items?: readonly { text: string; onClick: () => void; isDangerous?: boolean }[];
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
            ...items.map((item) => ({ ...item, label: `${item.text}: ${name}` })),
            ...(deletion === undefined
              ? []
              : [{ text: 'Delete', label: deleteLabel, isDangerous: true, onClick: askToDelete }]),
          ]}
        />
      )}
      {deletion !== undefined && (
        <WriteQuestion
          endpoint={deletion.endpoint}
          input={{ params: { _id: deletion._id }, query: undefined, body: undefined }}
          // A count of 0: an earlier request whose response was lost, or another user, deleted it.
          done={({ deletedCount }) =>
            deletedCount > 0 ? `${name} deleted successfully` : `${name} was deleted already.`
          }
          readsUnanswered
          // The dialog closes before the refetch, which unmounts it together with its row.
          untilRead={false}
          onSuccess={({ message }) => void (message !== undefined && toast.success(message))}
          open={isOpen}
          onClose={() => setIsOpen(false)}
          finalFocus={() => button.current}
          title="Are you sure?"
          message={
            <>
              <span className="block font-semibold text-foreground wrap-anywhere">{name}</span>
              You won't be able to revert this!
              <span className="mt-2 block">{deletion.consequence}</span>
            </>
          }
          yes="Yes, delete it!"
          busy="Deleting.."
          no="Cancel"
        />
      )}
    </>
  );
}
