import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { slugOf } from '#contract/listings/slug.ts';
import { exportShopSettings, importShopSettings, SettingsFile } from '#contract/operations/settings.ts';
import { parseJson } from '#contract/platform/json.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { useApi, useShop } from '../../../session/session.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { downloadFile } from '../../../ui/download-file.ts';
import { Field, FileInput, FormFailure } from '../../../ui/field.tsx';
import { Section } from '../../../ui/section.tsx';

/** Saves all settings as one file, and takes them from one. */
export function SettingsFileSection({
  version,
  onImported,
}: {
  /** The version that the admin sees. */
  version: number;
  onImported: () => void;
}) {
  const api = useApi();
  const { name } = useShop();
  const [failure, setFailure] = useState<string | null>(null);
  const fail = ({ message }: Error) => setFailure(message);
  const download = useMutation({
    mutationFn: () => api.call(exportShopSettings, {}),
    onMutate: () => setFailure(null),
    onSuccess: (file) =>
      downloadFile(`${slugOf(name)}-settings.json`, {
        text: `${JSON.stringify(file, null, 2)}\n`,
        type: 'application/json',
      }),
    onError: fail,
  });
  const upload = useWrite(importShopSettings, {
    done: 'The settings of the file apply now.',
    onSuccess: onImported,
    onError: fail,
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    setFailure(null);
    const parsed = z.safeParse(SettingsFile, parseJson(await file.text()));
    if (parsed.success) {
      const body = { version, file: parsed.data };
      return upload.mutate({ body });
    }
    const [issue] = parsed.error.issues;
    setFailure(
      `${file.name} cannot be used, and nothing was changed. ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
    );
  }
  return (
    <Section title="All settings as one file" className="card mt-6">
      <p className="mt-1.5 mb-4 max-w-prose text-muted">
        With the pictures. A file replaces all settings at once; what is typed above and not saved is not in
        it.
      </p>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <SmallButton busy={download.isPending && 'Preparing the file'} onClick={() => download.mutate()}>
          Download the settings
        </SmallButton>
        <Field label="Take the settings from a file" className="min-w-0">
          <FileInput
            accept="application/json"
            disabled={upload.isPending}
            onFiles={([file]) => void choose(file)}
            className="max-w-full file:mr-3 file:rounded-md file:border-0 file:bg-subtle file:px-3 file:py-1.5 file:font-semibold file:text-foreground"
          />
        </Field>
      </div>
      <FormFailure message={failure} />
    </Section>
  );
}
