import type { ReactNode } from 'react';
import { href } from 'react-router';
import { Button, SecondaryLink } from '../../../ui/button.tsx';

interface PaymentAlertProps {
  title: string;
  /** An error rather than a wait. */
  isError?: boolean;
  /** The next step; left out: a link to My Orders. */
  button?: { label: string; busy?: string | false; onClick: () => void };
  children: ReactNode;
}

/** An alert about the payment's state, with the next step. */
export function PaymentAlert({ title, isError = false, button, children }: PaymentAlertProps) {
  return (
    <div
      role="alert"
      className={`flex flex-col items-start gap-3 rounded-xl border p-5 ${
        isError ? 'border-danger bg-danger-soft' : 'border-primary bg-primary-soft'
      }`}
    >
      <h2 className="text-lg">{title}</h2>
      <div className="max-w-prose">{children}</div>
      {button === undefined ? (
        <SecondaryLink to={href('/dashboard/myOrders')}>Go to My Orders</SecondaryLink>
      ) : (
        <Button variant="secondary" busy={button.busy ?? false} onClick={button.onClick}>
          {button.label}
        </Button>
      )}
    </div>
  );
}
