import type { ReactNode } from 'react';

interface NoticeProps {
  title: string;
  /** An error rather than a wait. */
  isError?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** An alert about the payment's state, with the next step. */
export function Notice({ title, isError = false, action, children }: NoticeProps) {
  return (
    <div
      role="alert"
      className={`flex flex-col items-start gap-3 rounded-xl border p-5 ${
        isError ? 'border-red bg-red-soft' : 'border-orange bg-orange-soft'
      }`}
    >
      <h2 className="text-lg">{title}</h2>
      <div className="max-w-prose">{children}</div>
      {action}
    </div>
  );
}
