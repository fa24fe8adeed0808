import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface IconButtonProps
  extends Omit<ComponentProps<'button'>, 'aria-label' | 'children' | 'disabled' | 'type'> {
  /** The accessible name. */
  label: string;
  /** The path data of the icon, in a grid of 20 × 20. */
  d: string;
  strokeWidth?: string;
  disabled: boolean;
}

/**
 * A button with an icon. It is disabled by `aria-disabled` and keeps the focus, so that a keyboard user who reaches the
 * last item does not lose it.
 */
export function IconButton(props: IconButtonProps) {
  const { label, d, strokeWidth = '1.75', disabled, onClick, className = '', ...rest } = props;
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={`grid size-11 place-items-center text-ink hover:bg-sunken aria-disabled:hover:bg-transparent ${className}`}
    >
      <Icon d={d} strokeWidth={strokeWidth} className="size-5" />
    </button>
  );
}
