import type { ComponentProps } from 'react';
import { Link, type LinkProps } from 'react-router';

const shapes = {
  regular: 'min-h-11 px-5 py-2.5 text-base',
  small: 'min-h-9 px-3.5 py-1.5 text-sm',
} as const;

const variants = {
  /** The main action of a view, at most one at a time. */
  primary: 'bg-orange text-on-orange hover:bg-orange-deep',
  /** The main action of one of many cards. */
  tinted: 'border border-orange bg-orange-soft text-ink hover:bg-orange hover:text-on-orange',
  /** Other actions. */
  secondary: 'border border-edge bg-surface text-ink hover:bg-sunken',
  /** Actions inside a row or a sentence. */
  quiet: 'text-aubergine hover:bg-aubergine-soft',
  /** Actions that cannot be undone. */
  danger: 'border border-red bg-surface text-red hover:bg-red-soft',
} as const;

const base =
  'inline-flex items-center justify-center gap-2 rounded-lg font-semibold leading-tight transition-colors duration-150 select-none aria-disabled:opacity-55 disabled:opacity-55';

interface ButtonStyle {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof shapes | undefined;
  className?: string | undefined;
}

function classes({ variant = 'primary', size = 'regular', className = '' }: ButtonStyle): string {
  return `${base} ${shapes[size]} ${variants[variant]} ${className}`;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonStyle {
  /** The label while the action is pending. The button is then disabled and shows a spinner. */
  busy?: string | false;
}

export function Button({ variant, size, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy !== false}
      aria-busy={busy !== false || undefined}
      className={classes({ variant, size, className })}
    >
      {busy === false ? (
        children
      ) : (
        <>
          <Spinner />
          {busy}
        </>
      )}
    </button>
  );
}

/** A link styled as a button, for navigation. */
export function LinkButton({ variant, size, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link {...rest} className={classes({ variant, size, className })} />;
}

function Spinner() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 animate-spin" aria-hidden="true">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.3" />
      <path d="M12 3a9 9 0 0 1 9 9" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
