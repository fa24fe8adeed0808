import type { ComponentProps } from 'react';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'disabled' | 'type'> {
  /** The accessible name. */
  label: string;
  disabled: boolean;
}

/**
 * A button with a 20 × 20 icon, whose paths are the children. It is disabled by `aria-disabled` and keeps the focus, so
 * that a keyboard user who reaches the last item does not lose it.
 */
export function IconButton({ label, disabled, onClick, className = '', children, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className={`grid size-11 place-items-center text-ink hover:bg-sunken aria-disabled:hover:bg-transparent ${className}`}
    >
      <svg
        viewBox="0 0 20 20"
        className="size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
      >
        {children}
      </svg>
    </button>
  );
}
