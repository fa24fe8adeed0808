import type { ComponentProps } from 'react';

const tones = {
  neutral: 'bg-subtle',
  info: 'bg-primary-soft',
  problem: 'bg-danger-soft',
} as const;

export interface NoticeProps extends ComponentProps<'div'> {
  tone?: keyof typeof tones;
}

/** A few sentences about the view or the form around them. Give it a `role` when it appears after the page. */
export function Notice({ tone = 'neutral', className = '', ...rest }: NoticeProps) {
  return <div {...rest} className={`rounded-lg px-4 py-3 ${tones[tone]} ${className}`} />;
}
