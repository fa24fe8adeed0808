import type { ComponentProps } from 'react';

type InputProps = Omit<ComponentProps<'input'>, 'type' | 'className'>;

const classes = 'size-5 shrink-0 accent-accent';

/** A checkbox; its label is around it. */
export const Checkbox = (props: InputProps) => <input {...props} type="checkbox" className={classes} />;

/** A radio button; its label is around it. */
export const Radio = (props: InputProps) => <input {...props} type="radio" className={classes} />;
