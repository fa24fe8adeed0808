interface OnThisPageProps {
  /** The headings with their ids. */
  links: readonly (readonly [id: string, heading: string])[];
}

/** Links to the sections of a long page. */
export function OnThisPage({ links }: OnThisPageProps) {
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-24 lg:self-start">
      <h2 id="contents" className="font-sans font-semibold text-base tracking-normal">
        On this page
      </h2>
      <ol className="mt-3 flex flex-col gap-1">
        {links.map(([id, heading]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-block py-1 text-link leading-snug underline-offset-4 hover:underline"
            >
              {heading}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
