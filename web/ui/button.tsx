import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

const shapes = {
  regular: 'min-h-11 px-5 py-2.5 text-base',
  small: 'min-h-9 px-3.5 py-1.5 text-sm',
} as const;

const looks = {
  /** The one thing to do here. */
  primary: 'bg-orange text-on-orange hover:bg-orange-deep',
  /** Something else that can be done. */
  secondary: 'border border-edge bg-surface text-ink hover:bg-sunken',
  /** A thing to do inside a row or a sentence. */
  quiet: 'text-aubergine hover:bg-aubergine-soft',
  /** What cannot be undone. */
  danger: 'border border-red bg-surface text-red hover:bg-red-soft',
} as const;

const base =
  'inline-flex items-center justify-center gap-2 rounded-lg font-semibold leading-tight transition-colors duration-150 select-none aria-disabled:opacity-55 disabled:opacity-55';

interface Look {
  look?: keyof typeof looks;
  size?: keyof typeof shapes;
}

function classes({ look = 'primary', size = 'regular' }: Look, more: string | undefined): string {
  return `${base} ${shapes[size]} ${looks[look]} ${more ?? ''}`;
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** What the button says while its work is under way; the button is then disabled and shows a spinner. */
  busy?: string | false;
}

export function Button({ look, size, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy !== false}
      aria-busy={busy !== false || undefined}
      className={classes({ ...(look && { look }), ...(size && { size }) }, className)}
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

interface LinkButtonProps extends Omit<LinkProps, 'className'>, Look {
  className?: string;
  children: ReactNode;
}

/** A link that looks like a button: it leads somewhere, it changes nothing. */
export function LinkButton({ look, size, className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={classes({ ...(look && { look }), ...(size && { size }) }, className)} />;
}

export function Spinner() {
  return (
    <svg viewBox="0 0 24 24" className="size-4 animate-spin" aria-hidden="true">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.3" />
      <path d="M12 3a9 9 0 0 1 9 9" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
