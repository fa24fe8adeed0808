import { useState } from 'react';
import * as z from 'zod/mini';
import { exportShopSettings, importShopSettings, SettingsFile } from '#contract/operations/settings.ts';
import { parseJson } from '#contract/platform/json.ts';
import { DownloadButton, jsonFile } from '../../../forms/download-button.tsx';
import { useWrite } from '../../../requests/use-write.ts';
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
  const [failure, setFailure] = useState<string | null>(null);
  const upload = useWrite(importShopSettings, {
    done: 'The settings of the file apply now.',
    onSuccess: onImported,
    onError: ({ message }) => setFailure(message),
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
        <DownloadButton
          label="Download the settings"
          read={async ({ call }) => jsonFile('settings', await call(exportShopSettings, {}))}
        />
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
