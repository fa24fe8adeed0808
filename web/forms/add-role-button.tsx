import type { ComponentProps } from 'react';
import { addRole } from '#contract/people/accounts.ts';
import { useWrite } from '../requests/use-write.ts';
import { Button } from '../ui/button.tsx';

interface AddRoleButtonProps extends Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  /** The role that the person does not have yet. */
  adds: 'Buyer' | 'Seller';
}

/** Lets the signed-in person's account buy as well as sell. */
export function AddRoleButton({ adds, ...rest }: AddRoleButtonProps) {
  const verb = adds === 'Seller' ? 'sell' : 'buy';
  const write = useWrite(addRole, {
    done: `You can ${verb} here now, too, with the same account.`,
    untilRead: true,
  });
  return (
    <Button
      {...rest}
      onClick={() => write.mutate({ body: { role: adds } })}
      busy={write.isPending && 'One moment'}
    >
      I want to {verb} too
    </Button>
  );
}
