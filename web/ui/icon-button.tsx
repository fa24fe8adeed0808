import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps
  extends Omit<ComponentProps<'button'>, 'aria-label' | 'children' | 'disabled' | 'type'> {
  /** The accessible name. */
  label: string;
  icon: IconName;
  disabled: boolean;
}

/**
 * A button with an icon. It is disabled by `aria-disabled` and keeps the focus, so that a keyboard user who reaches the
 * last item does not lose it.
 */
export function IconButton(props: IconButtonProps) {
  const { label, icon, disabled, onClick, className = '', ...rest } = props;
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={`grid size-11 place-items-center text-foreground hover:bg-subtle aria-disabled:hover:bg-transparent ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
