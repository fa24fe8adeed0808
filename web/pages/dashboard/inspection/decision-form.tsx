import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { passedTests } from '#contract/certification/browser-checks.ts';
import { claimWords } from '#contract/certification/certificates.ts';
import {
  Checklist,
  ChecklistAnswer,
  checklistItems,
  checklistNames,
  evidenceOf,
  type InspectionEvidence,
  InspectionKind,
  inspectionClaims,
  inspectionKinds,
} from '#contract/certification/checklist.ts';
import {
  type Decision,
  decideInspection,
  type InspectionCase,
  MAXIMUM_INSPECTION_PHOTOS,
} from '#contract/certification/inspection-queue.ts';
import { conditions } from '#contract/listings/laptop-schemas.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { Problem } from '#contract/platform/client.ts';
import { longUtcDay } from '../../../formats/utc-dates.ts';
import { Choices } from '../../../forms/choices.tsx';
import { useDraft } from '../../../forms/draft.ts';
import { AttachedPhotos } from '../../../laptop-form/attached-photos.tsx';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { conditionDefinitions } from '../../../laptops/condition-definitions.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { DRAFTS_KEY } from '../../../session/forget-private-data.ts';
import { usePerson } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, Options, Select, TextArea } from '../../../ui/field.tsx';
import { moveFocusTo } from '../../../ui/route-announcer.tsx';
import { Section } from '../../../ui/section.tsx';
import { toast } from '../../../ui/toast.tsx';

const done: Readonly<Record<Decision, string>> = {
  approved: 'It is approved. Buyers now see it as inspected.',
  sent_back: 'It was sent back. Its seller reads your sentence in an email.',
  refused: 'It was refused. Its seller reads your sentence in an email.',
};

const kindHints: Readonly<Record<InspectionKind, string>> = {
  photos: 'You look at the seller’s photos, the measurement and the tests in the browser.',
  hand: 'You have the laptop before you, and take photos of it.',
};

const kinds = InspectionKind.options.map((name) => ({
  ...{ name, label: inspectionKinds[name], consequence: kindHints[name] },
}));

const answerNames: Readonly<Record<ChecklistAnswer, string>> = {
  unchecked: 'Not checked',
  met: 'Met',
  not_met: 'Not met',
};

/** Nothing is checked. */
const uncheckedItems = Checklist.parse(Object.fromEntries(checklistNames.map((item) => [item, 'unchecked'])));

/** The answers that an inspection of this kind can give: from photos, an item without evidence stays unchecked. */
function possibleAnswers(
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
function ChecklistFields({ kind, checklist, onChange, evidence, error }: ChecklistFieldsProps) {
  const isInvalid = (item: keyof Checklist) =>
    checklist[item] !== 'met' && (kind === 'hand' || evidenceOf(item, evidence).isEnough);
  // It gets the focus, and the sentence.
  const firstInvalid = checklistNames.find(isInvalid);
  return (
    <fieldset>
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
            <Field key={item} label={text} hint={words} error={item === firstInvalid ? error : undefined}>
              <Select
                value={checklist[item]}
                aria-invalid={(error !== undefined && isInvalid(item)) || undefined}
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
      {error !== undefined && firstInvalid === undefined && (
        <p role="alert" className="mt-2 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ApprovalSummaryProps {
  kind: InspectionKind;
  checklist: Checklist;
  evidence: InspectionEvidence;
}

/** What buyers read after an approval, on the laptop's page and its certificate. */
function ApprovalSummary({ kind, checklist, evidence }: ApprovalSummaryProps) {
  const claims = inspectionClaims({ kind, checklist }, passedTests(evidence.check));
  return (
    <Section
      title="After an approval, buyers read"
      level="h3"
      heading="font-sans font-semibold text-base tracking-normal"
      className="rounded-lg border border-border bg-subtle p-4 text-sm"
    >
      <p className="mt-1">
        “{levelNames[kind === 'hand' ? 'inspected_hand' : 'inspected_photos']}”, with the date, in lists and
        on its page. On its page and its certificate:
      </p>
      <dl className="@container mt-2 border-border border-t">
        {claims.map((claim) => (
          <div
            key={claim.name}
            className="grid gap-x-3 @3xs:grid-cols-[3fr_minmax(6rem,2fr)] border-border border-b py-1"
          >
            <dt>{claim.name}</dt>
            <dd className={claim.state === 'unchecked' ? 'italic' : 'font-semibold'}>{claimWords(claim)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** What a draft keeps of a decision. */
const Typed = z.object({ given: Checklist, grade: z.enum(conditions), note: z.string() });

interface DecisionFormProps {
  shown: InspectionCase;
}

/** The kind of inspection; then its checklist, the grade, the sentence to the seller, and the three decisions. */
export function DecisionForm({ shown }: DecisionFormProps) {
  const [kind, setKind] = useState<InspectionKind | null>(null);
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <Choices
        legend="How do you inspect it?"
        choices={kinds}
        chosen={kind}
        onChoose={setKind}
        className="grid gap-3 sm:grid-cols-2"
      />
      {kind !== null && <KindForm kind={kind} shown={shown} />}
    </div>
  );
}

/** What is the same in both kinds is kept when the kind is changed; the answers, the grade and the note also over a reload. */
function KindForm({ kind, shown }: DecisionFormProps & { kind: InspectionKind }) {
  // A refusal shows what has changed, also the tests in the browser; the answers below are kept.
  const { mutateAsync } = useWrite(decideInspection, { onError: () => undefined, untilRead: true });
  const { laptop, version, measurement } = shown;
  const { email } = usePerson();
  const draft = useDraft(`${DRAFTS_KEY}${email}:inspection:${laptop._id}:${version}`, Typed);
  const [typed, setTyped] = useState(
    () => draft.read() ?? { given: uncheckedItems, grade: laptop.condition, note: '' },
  );
  const { given, grade, note } = typed;
  const checklist = possibleAnswers(given, kind, shown);
  function change(part: Partial<typeof typed>) {
    const next = { ...typed, ...part };
    setTyped(next);
    draft.save(next);
  }
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const { uploads, uploadAll } = usePhotoUploads();
  const decide = useMutation({
    mutationFn: async (decision: Decision) => {
      // Photos that were chosen before the kind was changed stay in the form.
      const urls = kind === 'hand' ? await uploadAll(photos) : [];
      return mutateAsync({
        params: { _id: laptop._id },
        body: {
          ...{ version, measurementId: measurement._id, kind, decision, checklist, note, photos: urls },
          ...(decision === 'approved' && { grade }),
        },
      });
    },
    onSuccess: async (_answer, decision) => {
      draft.discard();
      toast.success(done[decision]);
      moveFocusTo('#decision');
    },
  });
  const errors = decide.error instanceof Problem ? (decide.error.errors ?? {}) : {};
  const hasFieldErrors = Object.keys(errors).length > 0;
  const form = useRef<HTMLFormElement>(null);
  const { error } = decide;
  useEffect(() => {
    // The buttons are far below the fields.
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate('approved');
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-6">
      {kind === 'hand' && (
        <AttachedPhotos
          label="Your photos"
          hint="Buyers see those of an approval as photos by the shop."
          required
          maximum={MAXIMUM_INSPECTION_PHOTOS}
          photos={photos}
          onChange={setPhotos}
          uploads={uploads}
          busy={decide.isPending}
          error={errors.photos}
        />
      )}
      <ChecklistFields
        kind={kind}
        checklist={checklist}
        onChange={(changed) => change({ given: changed })}
        evidence={shown}
        error={errors.checklist}
      />
      <Field label="Grade" error={errors.grade} hint={conditionDefinitions[grade]}>
        <Select
          value={grade}
          onChange={(event) =>
            change({ grade: conditions.find((condition) => condition === event.target.value) ?? grade })
          }
        >
          <Options values={conditions} />
        </Select>
      </Field>
      <Field
        label="Note to the seller"
        error={errors.note}
        hint="Needed to send back or refuse. The seller reads it in an email."
      >
        <TextArea
          autoComplete="off"
          value={note}
          onChange={(event) => change({ note: event.target.value })}
        />
      </Field>
      <ApprovalSummary kind={kind} checklist={checklist} evidence={shown} />
      <FormFailure message={decide.error === null || hasFieldErrors ? null : decide.error.message} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={decide.isPending && decide.variables === 'approved' && 'Approving'}>
          Approve
        </Button>
        <Button variant="secondary" disabled={decide.isPending} onClick={() => decide.mutate('sent_back')}>
          Send back
        </Button>
        <Button variant="danger" disabled={decide.isPending} onClick={() => decide.mutate('refused')}>
          Refuse
        </Button>
      </div>
    </form>
  );
}
