import type { ComponentProps } from 'react';
import { checklistItems, checklistNames, inspectionKinds } from '#contract/certification/checklist.ts';
import type { InspectionRecord } from '#contract/certification/inspection-queue.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ChangeList } from '../../../inspections/change-list.tsx';
import { decisionNames } from '../../../inspections/decision-names.ts';
import { ShopPhotoLinks } from '../../../laptops/shop-photo-links.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Section as TitledSection } from '../../../ui/section.tsx';

const tones = { approved: 'good', sent_back: 'warm', refused: 'bad' } as const;

/** A part of the page with its heading, which can take the focus. */
export const Section = (
  props: Required<Pick<ComponentProps<typeof TitledSection>, 'id' | 'title' | 'children'>>,
) => <TitledSection {...props} takesFocus heading="mb-4 text-xl" className="card" />;

/** The decisions so far, newest first. */
export function Decisions({ decisions }: { decisions: readonly InspectionRecord[] }) {
  if (decisions.length === 0) return null;
  return (
    <Section id="decisions" title="Decisions so far">
      <ol className="flex flex-col gap-5">
        {decisions.map(
          ({ _id, kind, decision, inspectedAt, inspectorName, grade, checklist, note, photos, changes }) => (
            <li key={_id} className="border-border border-t pt-4 first:border-0 first:pt-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone={tones[decision]}>{decisionNames[decision]}</Badge>
                <span className="font-semibold">{inspectionKinds[kind]}</span>
                {grade !== null && <span className="font-semibold">{grade}</span>}
                <DateTime at={inspectedAt} />
                <span className="text-muted wrap-anywhere">{inspectorName}</span>
              </p>
              {note !== '' && <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">{note}</p>}
              {photos.length > 0 && (
                <ShopPhotoLinks
                  urls={photos}
                  sizes="(width >= 64rem) 16rem, 45vw"
                  className="mt-3 lg:grid-cols-3"
                />
              )}
              <NotMet checklist={checklist} />
              {changes.length > 0 && (
                <details className="mt-2">
                  <summary className="min-h-6">What had changed</summary>
                  <ChangeList changes={changes} />
                </details>
              )}
            </li>
          ),
        )}
      </ol>
    </Section>
  );
}

const answerTitles = [
  ['not_met', 'Not met:'],
  ['unchecked', 'Not checked:'],
] as const;

/** The items of a checklist that were not met, and those that were not checked. */
function NotMet({ checklist }: Pick<InspectionRecord, 'checklist'>) {
  return answerTitles.map(([answer, title]) => {
    const items = checklistNames.filter((item) => checklist[item] === answer);
    if (items.length === 0) return null;
    return (
      <div key={answer}>
        <p className="mt-2">{title}</p>
        <ul className="list-disc pl-5">
          {items.map((item) => (
            <li key={item}>{checklistItems[item].text}</li>
          ))}
        </ul>
      </div>
    );
  });
}
