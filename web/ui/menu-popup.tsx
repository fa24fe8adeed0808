import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useRef } from 'react';
import { Link } from 'react-router';

/** An entry of a menu: an action or a link. `label`: the accessible name. */
export type MenuItem = { text: string; label: string } & (
  | { onClick: () => void; isDangerous?: boolean }
  | { to: string }
);

const itemClasses =
  'flex min-h-11 cursor-pointer select-none items-center rounded-md px-3.5 font-semibold outline-none data-[highlighted]:bg-subtle';

export interface MenuPopupProps {
  open: boolean;
  onClose: () => void;
  /** The button below which it opens, and which gets the focus back. */
  button: HTMLButtonElement | null;
  label: string;
  items: readonly MenuItem[];
  /** The item that has the focus when it opens; null for the menu itself, in which the arrow keys go on. */
  focused: 'first' | 'last' | null;
}

/** An open menu with arrow keys and first letters. */
export function MenuPopup({ open, onClose, button, label, items, focused }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseMenu.Root
      modal={false}
      open={open}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen || focused === null) return;
        const shown = popup.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [];
        [...shown].at(focused === 'first' ? 0 : -1)?.focus();
      }}
      onOpenChange={(_, { event }) => {
        // The button itself toggles the menu.
        if (!(event.target instanceof Node && button?.contains(event.target))) onClose();
      }}
    >
      {/* Inside the landmark of its button. */}
      <BaseMenu.Portal container={button?.closest('main') ?? null}>
        <BaseMenu.Positioner anchor={button} align="end" sideOffset={4} className="z-40">
          <BaseMenu.Popup
            ref={popup}
            aria-label={label}
            finalFocus={() => button}
            className="min-w-40 rounded-lg border border-border bg-surface p-1 text-foreground shadow-raised outline-none"
          >
            {items.map((item) =>
              'to' in item ? (
                <BaseMenu.LinkItem
                  key={item.text}
                  aria-label={item.label}
                  closeOnClick
                  render={<Link to={item.to} />}
                  className={itemClasses}
                >
                  {item.text}
                </BaseMenu.LinkItem>
              ) : (
                <BaseMenu.Item
                  key={item.text}
                  aria-label={item.label}
                  onClick={item.onClick}
                  className={`${itemClasses} ${item.isDangerous === true ? 'text-danger' : ''}`}
                >
                  {item.text}
                </BaseMenu.Item>
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
