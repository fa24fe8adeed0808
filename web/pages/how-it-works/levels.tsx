import { href, Link } from 'react-router';
import type { Level } from '#contract/listings/level-names.ts';
import type { LevelMark } from '../../formats/level-mark.ts';
import { Badge } from '../../ui/badge.tsx';
import { Photo } from '../../ui/photo.tsx';
import type { Example } from './read-examples.ts';

/** A level with its definition. */
export interface DefinedLevel extends Pick<LevelMark, 'tone' | 'text'> {
  level: Level;
  definition: string;
  /** A laptop for sale of this level; null without one. */
  example: Example | null;
}

function Certificate({ laptop: { _id, name, image } }: { laptop: Example }) {
  return (
    <Link
      to={href('/c/:id', { id: _id })}
      reloadDocument
      className="group mt-3 flex max-w-md flex-wrap items-center gap-3 rounded-xl border border-border bg-surface p-2 hover:border-border-strong"
    >
      <Photo url={image} alt="" sizes="96px" className="aspect-[4/3] w-24 shrink-0 rounded-lg object-cover" />
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <span className="block text-muted text-sm">A certificate of this shop</span>
        <span className="font-semibold text-link group-hover:underline">{name}</span>
      </span>
    </Link>
  );
}

/** What each level says and does not say, with a certificate of a laptop for sale. */
export function Levels({ levels }: { levels: readonly DefinedLevel[] }) {
  return (
    <dl className="@container mt-5 flex flex-col gap-6">
      {levels.map(({ level, tone, text, definition, example }) => (
        <div key={level}>
          <dt>
            <Badge tone={tone}>{text}</Badge>
          </dt>
          <dd className="mt-1.5">
            {definition}
            {example !== null && <Certificate laptop={example} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
