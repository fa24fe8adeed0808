import type { ReactNode } from 'react';

interface ArticleProps {
  /** The anchor on the page. */
  id: string;
  /** The heading. */
  question: string;
  children: ReactNode;
}

export function Article({ id, question, children }: ArticleProps) {
  return (
    <article id={id} aria-labelledby={`${id}-question`}>
      <h2 id={`${id}-question`}>
        <a href={`#${id}`}>{question}</a>
      </h2>
      {children}
    </article>
  );
}

/** A section of an article with an anchor. */
export function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <>
      <h3 id={id}>
        <a href={`#${id}`}>{title}</a>
      </h3>
      {children}
    </>
  );
}

/** A code listing. @param props.html the output of a `?highlighted` import */
export function Code({ name, html }: { name: string; html: string }) {
  return (
    <figure>
      <figcaption>{name}</figcaption>
      {/* It scrolls sideways on small screens, and the keyboard must be able to do that too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
      <section tabIndex={0} aria-label={name}>
        <pre>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made of the project's own files while building */}
          <code dangerouslySetInnerHTML={{ __html: html }} />
        </pre>
      </section>
    </figure>
  );
}
