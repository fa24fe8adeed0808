/** The list of the parts of a long page, which stays in view beside them. @param parts each with the id of its heading */
export function PageContents({ parts }: { parts: readonly { id: string; title: string }[] }) {
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-24 lg:self-start">
      <h2 id="contents" className="font-sans font-semibold text-base tracking-normal">
        On this page
      </h2>
      <ol className="mt-3 flex flex-col gap-1">
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-block py-1 text-link leading-snug underline-offset-4 hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
