import type { ComponentProps } from 'react';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'disabled' | 'type'> {
  /** What it does, for who cannot see the drawing. */
  label: string;
  disabled: boolean;
}

/**
 * A button that is a drawing of 20 × 20, its paths given as children. Where it can do nothing more it keeps the focus:
 * whoever steps on to the last of a row stays with it.
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
