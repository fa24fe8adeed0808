import { href } from 'react-router';
import { claimShop } from '#contract/operations/first-steps.ts';
import { useLinkToken } from '../../../forms/use-link-token.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson, useShop } from '../../../session/session.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { TextLink } from '../../../ui/text-link.tsx';

export const meta = privateMeta('Become the owner');

/** Makes the holder of the link from the shop's log its first admin. */
export default function ClaimPage() {
  const key = useLinkToken();
  const shop = useShop();
  const { email } = usePerson();
  const claim = useWrite(claimShop, { onError: () => undefined, untilRead: true });
  if (claim.isSuccess && !claim.isPending) {
    return (
      <>
        <PageHeading title={`${shop.name} is yours`}>{email} administers this shop now.</PageHeading>
        <LinkButton to={href('/dashboard/firstSteps')}>Go to the first steps</LinkButton>
      </>
    );
  }
  return (
    <>
      <PageHeading title="Become the owner of this shop">
        The account {email} will administer {shop.name}: its settings, people and money. An administrator
        neither buys nor sells here. To use another account, sign out and open the link again.
      </PageHeading>
      {key === null ? (
        <Notice tone="problem">
          This link is incomplete. Open the whole link that the shop printed when it started. Its admin
          command <code>owner-link</code> prints it again.
        </Notice>
      ) : (
        <Button
          disabled={key === undefined}
          onClick={() => claim.mutate({ body: { key: key ?? '' } })}
          busy={claim.isPending && 'One moment'}
        >
          Become the owner
        </Button>
      )}
      {claim.isError && (
        <ProblemNotice className="mt-4">
          {claim.error.message} <TextLink to={href('/dashboard')}>Go to your dashboard</TextLink>
        </ProblemNotice>
      )}
    </>
  );
}
