import { type ComponentProps, type ReactNode, useId } from 'react';

interface SectionProps extends Omit<ComponentProps<'section'>, 'title'> {
  title: ReactNode;
  /** What the part is about, in sentences below the heading. */
  hint?: ReactNode;
  /** Of the heading, for links to it. */
  id?: string;
  level?: 'h2' | 'h3';
  /** The classes of the heading. */
  heading?: string;
  /** Whether the heading can take the focus. */
  takesFocus?: boolean;
}

/** A part of a page that is named by its heading. */
export function Section({ title, id, level: Heading = 'h2', heading = 'text-xl', ...props }: SectionProps) {
  const ownId = useId();
  const { takesFocus = false, hint, children, ...rest } = props;
  return (
    <section {...rest} aria-labelledby={id ?? ownId}>
      <Heading
        id={id ?? ownId}
        className={`${heading} outline-offset-4`}
        tabIndex={takesFocus ? -1 : undefined}
      >
        {title}
      </Heading>
      {hint !== undefined && <p className="mt-1.5 mb-4 max-w-prose text-muted">{hint}</p>}
      {children}
    </section>
  );
}

/** A card with a heading, whose parts stand below each other. */
export function CardSection({ title, hint, children }: Pick<SectionProps, 'title' | 'hint' | 'children'>) {
  return (
    <Section title={title} className="card">
      <div className="mt-3 flex flex-col items-start gap-4">
        {hint !== undefined && <p className="max-w-prose text-muted">{hint}</p>}
        {children}
      </div>
    </Section>
  );
}
