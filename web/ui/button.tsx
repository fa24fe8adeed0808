import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from 'react-router';
import { useHydrated } from './use-hydrated.ts';

const shapes = {
  regular: 'min-h-11 px-5 py-2.5 text-base',
  small: 'min-h-9 px-3.5 py-1.5 text-sm',
} as const;

const variants = {
  /** The main action of a view, at most one at a time. */
  primary: 'bg-primary text-on-primary hover:bg-primary-hover',
  /** The main action of one of many cards. */
  tinted: 'border border-primary bg-primary-soft text-foreground hover:bg-primary hover:text-on-primary',
  /** Other actions. */
  secondary: 'border border-border-strong bg-surface text-foreground hover:bg-subtle',
  /** Actions inside a row or a sentence. */
  quiet: 'text-link hover:bg-accent-soft',
  /** Actions that cannot be undone. */
  danger: 'border border-danger bg-surface text-danger hover:bg-danger-soft',
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
  /** The label while the action is pending. The button then shows a spinner and does nothing. */
  busy?: string | false;
}

/** Keeps a click, and Enter in the form that the button submits, from doing anything. */
const ignoreClick = (event: MouseEvent) => event.preventDefault();

/**
 * A button. A disabled or busy one has `aria-disabled` and keeps the keyboard's focus, which the browser takes from natively
 * disabled buttons. Before hydration it is disabled natively: the browser itself would submit its form.
 */
export function Button(props: ButtonProps) {
  const { variant, size, busy = false, className, children, disabled = false, onClick, ...rest } = props;
  const hydrated = useHydrated();
  const isDisabled = disabled || busy !== false;
  return (
    <button
      type="button"
      {...rest}
      disabled={isDisabled && !hydrated}
      aria-disabled={isDisabled || undefined}
      // The label of the pending action is the name as well.
      aria-label={busy === false ? rest['aria-label'] : undefined}
      aria-busy={busy !== false || rest['aria-busy']}
      onClick={isDisabled ? ignoreClick : onClick}
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

export const SecondaryButton = (props: ButtonProps) => <Button variant="secondary" {...props} />;

/** A button among others or in a row. */
export const SmallButton = (props: ButtonProps) => <SecondaryButton size="small" {...props} />;

/** A link styled as a button, for navigation. */
export function LinkButton({ variant, size, className, ...rest }: LinkProps & ButtonStyle) {
  return <Link {...rest} className={classes({ variant, size, className })} />;
}

export const SecondaryLink = (props: LinkProps & ButtonStyle) => (
  <LinkButton variant="secondary" {...props} />
);

function Spinner() {
  return (
    <svg
      viewBox="0 0 24 24"
      className="size-4 animate-spin"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9" opacity="0.3" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}
