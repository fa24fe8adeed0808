import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Problem } from '#contract/client.ts';
import {
  type Checklist,
  ChecklistAnswer,
  checklistItems,
  type Decision,
  decideInspection,
  type InspectionCase,
  MAXIMUM_INSPECTION_PHOTOS,
} from '#contract/inspection-desk.ts';
import { conditions } from '#contract/laptop-schemas.ts';
import { AttachedPhotos } from '../../../laptop-form/attached-photos.tsx';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { conditionDefinitions } from '../../../laptops/condition-definitions.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, Select, TextArea } from '../../../ui/field.tsx';
import { moveFocusTo } from '../../../ui/route-announcer.tsx';
import { toast } from '../../../ui/toast.tsx';

const results: Readonly<Record<ChecklistAnswer, string>> = {
  unchecked: 'Not checked',
  met: 'Met',
  not_met: 'Not met',
};

const itemNames = ['photos', 'marks', 'body', 'screen', 'keyboard', 'price'] as const;

const unchecked: Checklist = {
  photos: 'unchecked',
  marks: 'unchecked',
  body: 'unchecked',
  screen: 'unchecked',
  keyboard: 'unchecked',
  price: 'unchecked',
};

const done: Readonly<Record<Decision, string>> = {
  approved: 'It is approved. Buyers now see it as Inspected.',
  sent_back: 'It was sent back. Its seller reads your sentence in an email.',
  refused: 'It was refused. Its seller reads your sentence in an email.',
};

interface ChecklistFieldsProps {
  checklist: Checklist;
  onChange: (checklist: Checklist) => void;
  error: string | undefined;
}

function ChecklistFields({ checklist, onChange, error }: ChecklistFieldsProps) {
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'checklist-error'}>
      <legend className="mb-2 font-semibold">Checklist</legend>
      <div className="flex flex-col gap-4">
        {itemNames.map((name) => (
          <Field key={name} label={checklistItems[name]}>
            <Select
              value={checklist[name]}
              onChange={(event) =>
                onChange({ ...checklist, [name]: ChecklistAnswer.parse(event.target.value) })
              }
            >
              {ChecklistAnswer.options.map((value) => (
                <option key={value} value={value}>
                  {results[value]}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
      {error !== undefined && (
        <p id="checklist-error" role="alert" className="mt-2 text-red">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface DecisionFormProps {
  shown: InspectionCase;
  refresh: () => Promise<void>;
}

/** The checklist, the grade, the sentence to the seller, and the three decisions. */
export function DecisionForm({ shown, refresh }: DecisionFormProps) {
  const api = useApi();
  const { laptop, version, measurement } = shown;
  const [checklist, setChecklist] = useState(unchecked);
  const [grade, setGrade] = useState(laptop.condition);
  const [note, setNote] = useState('');
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const { uploads, uploadAll } = usePhotoUploads();
  const decide = useMutation({
    mutationFn: async (decision: Decision) => {
      const urls = await uploadAll(photos);
      return api.call(decideInspection, {
        params: { _id: laptop._id },
        body: {
          ...{ version, measurementId: measurement._id, decision, checklist, note, photos: urls },
          ...(decision === 'approved' && { grade }),
        },
      });
    },
    onSuccess: async (_answer, decision) => {
      toast.success(done[decision]);
      await refresh();
      moveFocusTo('#decision');
    },
    // Shows what has changed; the answers below are kept.
    onError: (error) => {
      if (error instanceof Problem && error.status === 409) void refresh();
    },
  });
  const errors = decide.error instanceof Problem ? (decide.error.errors ?? {}) : {};
  const hasFieldErrors = Object.keys(errors).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate('approved');
  };
  return (
    <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-6">
      <ChecklistFields checklist={checklist} onChange={setChecklist} error={errors.checklist} />
      <Field label="Grade" error={errors.grade} hint={conditionDefinitions[grade]}>
        <Select
          value={grade}
          onChange={(event) =>
            setGrade(conditions.find((condition) => condition === event.target.value) ?? grade)
          }
        >
          {conditions.map((condition) => (
            <option key={condition}>{condition}</option>
          ))}
        </Select>
      </Field>
      <Field
        label="Note to the seller"
        error={errors.note}
        hint="Needed to send back or refuse. The seller reads it in an email."
      >
        <TextArea autoComplete="off" value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <AttachedPhotos
        label="Your photos"
        hint="Buyers see those of an approval as photos by the shop."
        maximum={MAXIMUM_INSPECTION_PHOTOS}
        photos={photos}
        onChange={setPhotos}
        uploads={uploads}
        busy={decide.isPending}
        error={errors.photos}
      />
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
