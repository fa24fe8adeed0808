import { href } from 'react-router';
import { LinkButton } from '../ui/button.tsx';

/** The content of a page that does not exist. */
export function NotFound() {
  return (
    <div className="page-width flex flex-col items-start gap-6 py-20 sm:py-32">
      <p className="figures font-display font-extrabold text-7xl text-link sm:text-8xl" aria-hidden="true">
        404
      </p>
      <h1 className="max-w-2xl text-4xl sm:text-5xl">The page you are looking for does not exist.</h1>
      <LinkButton to={href('/')}>Go to Homepage</LinkButton>
    </div>
  );
}
