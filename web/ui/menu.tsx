import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type RefObject, useState } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';

/** An entry of a menu: an action or a link. `label`: the accessible name. */
export type MenuItem = { text: string; label: string } & (
  | { onClick: () => void; isDangerous?: boolean }
  | { to: string }
);

const itemClasses =
  'flex min-h-11 cursor-pointer select-none items-center rounded-md px-3.5 font-semibold outline-none data-[highlighted]:bg-subtle';

interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  /** For dialogs that return the focus to the button. */
  buttonRef: RefObject<HTMLButtonElement | null>;
  items: readonly MenuItem[];
}

/** A button with three dots that opens a menu. */
export function Menu({ label, buttonRef, items }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <BaseMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <BaseMenu.Trigger
        ref={buttonRef}
        aria-label={label}
        className="inline-grid size-11 place-items-center rounded-lg text-muted hover:bg-subtle hover:text-foreground aria-expanded:bg-subtle"
      >
        <Icon name="more" strokeWidth="3.2" />
      </BaseMenu.Trigger>
      {/* Inside the landmark of its button. */}
      <BaseMenu.Portal container={buttonRef.current?.closest('main') ?? null}>
        <BaseMenu.Positioner align="end" sideOffset={4} className="z-40">
          <BaseMenu.Popup
            aria-label={label}
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
