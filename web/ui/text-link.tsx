import { Link, type LinkProps } from 'react-router';

/** A link in a sentence. */
export const TextLink = (props: Omit<LinkProps, 'className'>) => <Link {...props} className="link" />;

/** A link that says what to do next. */
export const ActionLink = (props: Omit<LinkProps, 'className'>) => (
  <Link {...props} className="link font-semibold" />
);
