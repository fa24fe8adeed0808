import { useRef, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import {
  addContent,
  type ContentDetails,
  type ContentItem,
  type ContentKind,
  placeholders,
  previewContent,
  publishContent,
  readContent,
  saveContent,
  withdrawContent,
} from '#contract/operations/content.ts';
import styles from '../../../content/content.css?url';
import { useDraft } from '../../../forms/draft.ts';
import { RequestForm, useRequestForm } from '../../../forms/request-form.tsx';
import { violations } from '../../../forms/use-write-form.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { DRAFTS_KEY } from '../../../session/forget-private-data.ts';
import { usePerson } from '../../../session/session.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Field, TextArea, TextInput } from '../../../ui/field.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Versions } from './versions.tsx';

/** The path at which a page or post is read. */
export const contentPath = ({ kind, slug }: Pick<ContentItem, 'kind' | 'slug'>): string =>
  kind === 'page' ? href('/pages/:slug', { slug }) : href('/blog/:slug', { slug });

const text = z._default(z.string(), '');
const Values = z.object({ title: text, slug: text, description: text, body: text });
type Values = z.output<typeof Values>;

/** The HTML of the typed text, as the shop renders it. */
function Preview({ html }: { html: string }) {
  return (
    <Section title="Preview" heading="mb-3 text-2xl" className="mt-8">
      <link rel="stylesheet" href={styles} precedence="default" />
      <div
        className="content rounded-xl border border-border bg-surface p-5"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the shop renders it without raw HTML
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </Section>
  );
}

interface EditorProps {
  kind: ContentKind;
  /** The saved page; null for a new one. */
  saved: ContentDetails | null;
}

function Editor({ kind, saved }: EditorProps) {
  const { email } = usePerson();
  const navigate = useNavigate();
  const draft = useDraft(
    `${DRAFTS_KEY}${email}:content:${saved === null ? `new ${kind}` : saved._id}`,
    Values,
  );
  /** The version on which the form is based. */
  const [base, setBase] = useState(saved?.version ?? 0);
  const [html, setHtml] = useState<string | null>(null);
  const publishes = useRef(false);
  // The form shows failures.
  const onError = () => undefined;
  const add = useWrite(addContent, { onError });
  const save = useWrite(saveContent, { onError });
  const publish = useWrite(publishContent, { onError });
  const preview = useWrite(previewContent, { onSuccess: (answer) => setHtml(answer.html) });

  /** @returns the id and the version of what is saved now */
  async function store(values: Values): Promise<{ id: string; version: number }> {
    if (saved === null) {
      const { insertedId } = await add.mutateAsync({ body: { kind, ...values } });
      return { id: insertedId, version: 1 };
    }
    const body = { ...values, version: base };
    const { version } = await save.mutateAsync({ params: { _id: saved._id }, body });
    setBase(version);
    return { id: saved._id, version };
  }

  const form = useRequestForm<Values>(
    async (values) => {
      const { id, version } = await store(values);
      if (publishes.current) await publish.mutateAsync({ params: { _id: id }, body: { version } });
      toast.success(publishes.current ? 'It is published.' : 'It is saved, and not published yet.');
      form.reset(values);
      if (saved === null) {
        draft.discard();
        await navigate(href('/dashboard/pages/:id?', { id }), { replace: true });
      }
    },
    {
      defaultValues: Values.parse(saved ?? {}),
      draft,
      check: (values) =>
        saved === null
          ? violations(addContent, { body: { kind, ...values } })
          : violations(saveContent, { body: { ...values, version: base } }),
      failureTitle: 'The page was not saved',
    },
  );
  const prefix = contentPath({ kind, slug: '…' }).replace('…', '').replace('%E2%80%A6', '');
  const submit = (isPublication: boolean) => {
    publishes.current = isPublication;
    void form.submit();
  };

  return (
    <>
      {saved !== null && saved.version > base && (
        <ProblemNotice className="mb-5">
          This page was saved elsewhere since you opened it. What you typed is still here: copy it, then load
          this page again.
        </ProblemNotice>
      )}
      <RequestForm
        form={{
          ...form,
          props: {
            ...form.props,
            onSubmit: (event) => {
              event.preventDefault();
              submit(false);
            },
          },
        }}
        method="post"
        submit="Save"
        busy="Saving"
        variant="secondary"
        className="flex max-w-3xl flex-col gap-5"
        others={
          <>
            <Button onClick={() => submit(true)} disabled={form.isSubmitting}>
              Save and publish
            </Button>
            <Button
              variant="secondary"
              busy={preview.isPending && 'Rendering'}
              onClick={() => preview.mutate({ body: { body: form.getValues('body') } })}
            >
              Preview
            </Button>
            {saved?.publishedVersion != null && (
              <WriteButton
                endpoint={withdrawContent}
                input={{ params: { _id: saved._id } }}
                done="It is a draft again."
                size="regular"
                busy="Withdrawing"
              >
                Withdraw
              </WriteButton>
            )}
          </>
        }
      >
        <Field label="Title" {...form.field('title')}>
          <TextInput autoComplete="off" maxLength={120} required />
        </Field>
        <Field
          label="Address"
          {...form.field('slug')}
          hint={
            saved !== null && !saved.hasFreeAddress
              ? 'It was published, so its address stays.'
              : `What follows ${prefix} in its address, such as opening-hours. It stays once the ${kind} is published.`
          }
        >
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
            required
            readOnly={saved !== null && !saved.hasFreeAddress}
          />
        </Field>
        <Field
          label="Description"
          {...form.field('description')}
          hint={
            kind === 'page'
              ? 'One or two sentences for search engines.'
              : 'One or two sentences for search engines and the list of posts.'
          }
        >
          <TextArea rows={2} maxLength={200} required />
        </Field>
        <Field
          label="Text"
          {...form.field('body')}
          hint={
            <>
              Markdown: ## heading, **bold**, - list, [link](/pages/help), tables. Raw HTML and pictures are
              not shown.{' '}
              {Object.entries(placeholders).map(([name, meaning], index) => (
                <span key={name}>
                  {index > 0 && ', '}
                  <code className="wrap-anywhere">{`{{${name}}}`}</code> is {meaning}
                </span>
              ))}
              .
            </>
          }
        >
          <TextArea rows={20} className="font-mono text-sm!" />
        </Field>
      </RequestForm>
      {html !== null && <Preview html={html} />}
      {saved !== null && (
        <Versions
          page={saved}
          isTyped={form.formState.isDirty}
          onRestore={(texts) => {
            for (const name of ['title', 'description', 'body'] as const) {
              form.setValue(name, texts[name], { shouldDirty: true });
            }
            draft.save(form.getValues());
          }}
        />
      )}
    </>
  );
}

const backToList = (
  <LinkButton variant="secondary" size="small" to="/dashboard/pages">
    All pages
  </LinkButton>
);

/** The form of a new page or post. */
export function NewContent({ kind }: { kind: ContentKind }) {
  return (
    <>
      <PageHeading title={`New ${kind}`}>It is a draft until you publish it.</PageHeading>
      <div className="mb-5">{backToList}</div>
      <Editor key={kind} kind={kind} saved={null} />
    </>
  );
}

/** The editor of a page or post, with its versions. */
export function ContentEditor({ id }: { id: string }) {
  const content = useRead(readContent, { params: { _id: id } }, { refetchOnMount: 'always', gcTime: 0 });
  return (
    <QueryView query={content} what="this page" back="pages">
      {(saved) => (
        <>
          <PageHeading title={saved.title}>
            {saved.publishedVersion === null ? (
              'A draft, which nobody but administrators can read.'
            ) : (
              <>
                Published at{' '}
                <Link to={contentPath(saved)} className="link wrap-anywhere">
                  {contentPath(saved)}
                </Link>
                {saved.publishedVersion !== saved.version &&
                  ` as version ${saved.publishedVersion}; version ${saved.version} is not published`}
                .
              </>
            )}
          </PageHeading>
          <div className="mb-5">{backToList}</div>
          <Editor kind={saved.kind} saved={saved} />
        </>
      )}
    </QueryView>
  );
}
