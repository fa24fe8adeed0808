import type { ComponentProps } from 'react';

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'className'>;

// Unchecked it is drawn here: in the dark theme the browser's own is filled with grey, as if it were disabled.
const classes =
  'size-5 shrink-0 accent-accent not-checked:appearance-none not-checked:border not-checked:border-border-strong';

/** A checkbox; its label is around it. */
export const Checkbox = (props: InputProps) => (
  <input {...props} type="checkbox" className={`${classes} rounded`} />
);

/** A radio button; its label is around it. */
export const Radio = (props: InputProps) => (
  <input {...props} type="radio" className={`${classes} rounded-full`} />
);
