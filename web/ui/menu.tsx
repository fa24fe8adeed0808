import { type KeyboardEvent, type RefObject, useState } from 'react';
import { Icon } from './icon.tsx';
import type { MenuItem, MenuPopup, MenuPopupProps } from './menu-popup.tsx';
import { toast } from './toast.tsx';

export type { MenuItem };

/** Fetched when the pointer or the focus reaches a menu's button: most visits open none. */
const loadPopup = () => import('./menu-popup.tsx');

interface MenuProps {
  /** The accessible name of the button. */
  label: string;
  /** For dialogs that return the focus to the button. */
  buttonRef: RefObject<HTMLButtonElement | null>;
  items: readonly MenuItem[];
}

/** A button with three dots that opens a menu. */
export function Menu({ label, buttonRef, items }: MenuProps) {
  const [Popup, setPopup] = useState<typeof MenuPopup | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [focused, setFocused] = useState<MenuPopupProps['focused']>(null);

  async function open(item: MenuPopupProps['focused']) {
    try {
      const loaded = await loadPopup();
      setPopup(() => loaded.MenuPopup);
      setFocused(item);
      setIsOpen(true);
    } catch {
      toast.error('The menu could not be opened. Please check your connection and try again.');
    }
  }

  function openByArrow(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    // Arrow keys scroll the page otherwise.
    event.preventDefault();
    void open(event.key === 'ArrowDown' ? 'first' : 'last');
  }

  const preload = () => void loadPopup().catch(() => undefined);
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        // Without a pointer, which is Enter or Space, the first item gets the focus.
        onClick={({ detail }) => (isOpen ? setIsOpen(false) : void open(detail === 0 ? 'first' : null))}
        onKeyDown={openByArrow}
        className="inline-grid size-11 place-items-center rounded-lg text-muted hover:bg-subtle hover:text-foreground aria-expanded:bg-subtle"
      >
        <Icon name="more" strokeWidth="3.2" />
      </button>
      {Popup !== null && (
        <Popup
          open={isOpen}
          onClose={() => setIsOpen(false)}
          button={buttonRef.current}
          label={label}
          items={items}
          focused={focused}
        />
      )}
    </>
  );
}
