import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listLaptop, listOwnLaptops } from '#contract/catalogue.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi, usePerson, useSessionStore, useSettings } from '../../../session/session.tsx';
import { type Answers, newLaptopOf } from './form-values.ts';
import { UploadFailed, uploadPhoto } from './upload-photo.ts';

/** How far a photo has come on its way to the image host. */
export type PhotoUpload =
  | { status: 'uploading'; percent: number }
  | { status: 'kept'; url: string }
  | { status: 'failed'; message: string };

export interface Adding {
  /** Uploads the photos and lists the laptop. @throws UploadFailed, Problem */
  add: (answers: Answers) => Promise<void>;
  /** Uploads one photo again that was not kept; how that ends stands in `uploads`. */
  retry: (photo: File) => Promise<void>;
  /** Forgets a try whose answer was lost: the same answers are another laptop from here on. */
  startOver: () => void;
  /** Of the photos whose upload has begun. */
  uploads: ReadonlyMap<File, PhotoUpload>;
}

/** Beside the draft, in this tab's storage: the answer may be lost with the page. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

/** Uploads at the same time: one keeps the line busy while the host works on the other. */
const AT_ONCE = 2;

/** Adds a laptop. A photo that has been uploaded is not uploaded again when only something else failed. */
export function useAdding(): Adding {
  const api = useApi();
  const cache = useQueryClient();
  const { token } = useSessionStore();
  const { photos } = useSettings();
  const { email } = usePerson();
  const [uploads, setUploads] = useState<ReadonlyMap<File, PhotoUpload>>(new Map());
  const hosted = useRef(new WeakMap<File, string>());

  const note = (photo: File, upload: PhotoUpload) =>
    setUploads((before) => new Map(before).set(photo, upload));

  async function send(photo: File): Promise<string> {
    const once = () =>
      uploadPhoto(photo, {
        url: photos.uploadUrl,
        token: photos.ownHost ? token() : null,
        onProgress: (percent) => note(photo, { status: 'uploading', percent }),
      });
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof UploadFailed && error.status === 401 && photos.ownHost)) throw error;
      // The token ran out while the form was being filled in: any call of the contract renews it.
      await api.call(listOwnLaptops, { query: { limit: 1 } });
      return once();
    }
  }

  /** @throws UploadFailed, Problem */
  async function upload(photo: File): Promise<string> {
    const known = hosted.current.get(photo);
    if (known !== undefined) return known;
    note(photo, { status: 'uploading', percent: 0 });
    try {
      const url = await send(photo);
      hosted.current.set(photo, url);
      note(photo, { status: 'kept', url });
      return url;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The photo was not kept. Please try again.';
      note(photo, { status: 'failed', message });
      throw error;
    }
  }

  /** All of them, also after one has failed: each is one less to send later. @throws what the first failure threw */
  async function uploadAll(chosen: readonly File[]): Promise<string[]> {
    const waiting = chosen.values();
    const failures: unknown[] = [];
    const work = async () => {
      for (const photo of waiting) await upload(photo).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.length > 0) throw failures[0];
    const urls = chosen.map((photo) => hosted.current.get(photo) ?? '');
    // The same picture in two files is one photo to the host.
    return [...new Set(urls)];
  }

  return {
    uploads,
    startOver: () => idempotencyKeys.discard(email),
    retry: (photo) =>
      upload(photo).then(
        () => undefined,
        // It stands at the photo.
        () => undefined,
      ),
    add: async (answers) => {
      const images = await uploadAll(answers.photo);
      const { photo: _, ...texts } = answers;
      await idempotencyKeys.send(email, { texts, images }, ({ idempotencyKey, startedAt }) =>
        api.call(listLaptop, { body: newLaptopOf(answers, images, startedAt), idempotencyKey }),
      );
      void cache.invalidateQueries();
    },
  };
}
