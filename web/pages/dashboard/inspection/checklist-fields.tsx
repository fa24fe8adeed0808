import {
  type Checklist,
  ChecklistAnswer,
  checklistItems,
  checklistNames,
  evidenceOf,
  type InspectionEvidence,
  type InspectionKind,
} from '#contract/certification/inspection-desk.ts';
import { longUtcDay } from '../../../formats/utc-dates.ts';
import { Field, Options, Select } from '../../../ui/field.tsx';

const answerNames: Readonly<Record<ChecklistAnswer, string>> = {
  unchecked: 'Not checked',
  met: 'Met',
  not_met: 'Not met',
};

/** Nothing is checked. */
export const uncheckedItems: Checklist = {
  photos: 'unchecked',
  slip: 'unchecked',
  marks: 'unchecked',
  body: 'unchecked',
  screen: 'unchecked',
  keyboard: 'unchecked',
  touchpad: 'unchecked',
  camera: 'unchecked',
  sound: 'unchecked',
  price: 'unchecked',
};

/** The answers that an inspection of this kind can give: from photos, an item without evidence stays unchecked. */
export function possibleAnswers(
  checklist: Checklist,
  kind: InspectionKind,
  evidence: InspectionEvidence,
): Checklist {
  if (kind === 'hand') return checklist;
  const missing = checklistNames.filter((item) => !evidenceOf(item, evidence).isEnough);
  return { ...checklist, ...Object.fromEntries(missing.map((item) => [item, 'unchecked'])) };
}

/** What is there or missing for an item, with the day of a test. */
function evidenceWords({ text, testedAt }: ReturnType<typeof evidenceOf>): string {
  return testedAt === null ? text : `${text}, ${longUtcDay(testedAt)}`;
}

interface ChecklistFieldsProps {
  kind: InspectionKind;
  checklist: Checklist;
  onChange: (checklist: Checklist) => void;
  evidence: InspectionEvidence;
  error: string | undefined;
}

/** The items with their evidence, or with what is missing where an inspection from photos cannot check them. */
export function ChecklistFields({ kind, checklist, onChange, evidence, error }: ChecklistFieldsProps) {
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'checklist-error'}>
      <legend className="mb-2 font-semibold">Checklist</legend>
      <div className="flex flex-col gap-4">
        {checklistNames.map((item) => {
          const { text } = checklistItems[item];
          const found = evidenceOf(item, evidence);
          const words = evidenceWords(found);
          if (kind === 'photos' && !found.isEnough) {
            return (
              <div key={item} className="rounded-lg border border-border bg-subtle px-3.5 py-2.5 text-sm">
                <p className="font-semibold">{text}</p>
                <p className="mt-1">
                  <span className="italic">Not checked.</span> {words}.
                </p>
              </div>
            );
          }
          return (
            <Field key={item} label={text} hint={words}>
              <Select
                value={checklist[item]}
                aria-invalid={(error !== undefined && checklist[item] !== 'met') || undefined}
                onChange={(event) =>
                  onChange({ ...checklist, [item]: ChecklistAnswer.parse(event.target.value) })
                }
              >
                <Options values={ChecklistAnswer.options} label={(value) => answerNames[value]} />
              </Select>
            </Field>
          );
        })}
      </div>
      {error !== undefined && (
        <p id="checklist-error" role="alert" className="mt-2 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
