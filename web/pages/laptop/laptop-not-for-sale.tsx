import { href } from 'react-router';
import { LinkButton, SecondaryLink } from '../../ui/button.tsx';

/** The content of the page of a laptop that left the shop. @param props.message the shop's reason, a sentence */
export default function Gone({ message }: { message: string }) {
  return (
    <div className="page-width flex flex-col items-start gap-6 py-20 sm:py-32">
      <h1 className="max-w-2xl text-4xl sm:text-5xl">No longer for sale</h1>
      <p className="max-w-prose text-lg text-muted">{message} Others like it may be for sale.</p>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={href('/laptops')}>Choose another laptop</LinkButton>
        <SecondaryLink to={href('/')}>Go to Homepage</SecondaryLink>
      </div>
    </div>
  );
}
