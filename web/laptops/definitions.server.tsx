import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { conditions } from '#contract/listings/catalogue.ts';
import { type Level, levelNames, levels } from '#contract/listings/level-names.ts';
import { levelDefinitionId, PAGE_LEVEL_DEFINITION_ID } from '../formats/level-mark.ts';
import { conditionDefinitionId } from './chips.tsx';
import { conditionDefinitions } from './condition-definitions.ts';

/** What a level says, and what it does not say. */
export const levelDefinitions: Readonly<Record<Level, string>> = {
  word: 'Neither a measurement nor an inspection confirms this listing: what it says is its seller’s word.',
  measured:
    'Its seller ran a program on the laptop. It read the processor and the memory, nothing that it read contradicts the listing, and no lock was found. The laptop’s page says which facts were measured; the others are the seller’s word. The shop has not looked at it.',
  inspected_photos:
    'It was measured, and then the shop approved the listing from the seller’s photos. The shop has not had the laptop in hand: its certificate says what the photos or tests in the browser show, and what nobody has checked. An edit or a new measurement ends this until the shop has looked again.',
  inspected_hand:
    'It was measured, and then the shop had it in hand, took photos of it, checked its body, screen, keyboard, touchpad, camera and sound, and approved the listing. The shop has not opened it, and does not warrant that a part works for long. An edit or a new measurement ends this until the shop has looked again.',
};

function Definition({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  return (
    <p
      id={id}
      popover="auto"
      className="popover-at-button max-w-76 rounded-xl border border-border bg-surface px-4 py-3 text-foreground text-sm shadow-raised"
    >
      <strong className="font-semibold">{name}.</strong> {children}
    </p>
  );
}

const levelsLink = (
  <a href="/how-it-works#certified" className="link font-semibold">
    How laptops are checked
  </a>
);

/** The definitions of all conditions and levels as HTML, so that browsers need no code for them. */
export const definitionsHtml = renderToStaticMarkup(
  <>
    {conditions.map((condition) => (
      <Definition key={condition} id={conditionDefinitionId(condition)} name={condition}>
        {conditionDefinitions[condition]} The seller chose this grade.
      </Definition>
    ))}
    {levels.map((level) => (
      <Definition key={level} id={levelDefinitionId(level)} name={levelNames[level]}>
        {levelDefinitions[level]} {levelsLink}
      </Definition>
    ))}
  </>,
);

/** The definition of the level of the laptop that a page is about, with the link to its certificate when it has one. */
export const ownLevelHtml = ({ _id, level }: { _id: string; level: Level }): string =>
  renderToStaticMarkup(
    <Definition id={PAGE_LEVEL_DEFINITION_ID} name={levelNames[level]}>
      {levelDefinitions[level]} {levelsLink}
      {level !== 'word' && (
        <>
          {' · '}
          <a href={`/c/${_id}`} className="link font-semibold">
            See its certificate
          </a>
        </>
      )}
    </Definition>,
  );
