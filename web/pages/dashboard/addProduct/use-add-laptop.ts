import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listLaptop, listOwnLaptops } from '#contract/catalogue.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi, usePerson, useSessionStore, useSettings } from '../../../session/session.tsx';
import { type FormValues, toNewLaptop } from './form-values.ts';
import { UploadError, uploadPhoto } from './upload-photo.ts';

/** The state of a photo's upload. */
export type PhotoUpload =
  | { status: 'uploading'; percent: number }
  | { status: 'uploaded'; url: string }
  | { status: 'failed'; message: string };

/** Stored beside the draft, because a reload may lose the response. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

/** Two, so that one upload uses the network while the host processes the other. */
const CONCURRENT_UPLOADS = 2;

/** Adds a laptop. A retry does not upload a photo again that was uploaded before. */
export function useAddLaptop() {
  const api = useApi();
  const cache = useQueryClient();
  const { token } = useSessionStore();
  const { photos } = useSettings();
  const { email } = usePerson();
  const [uploads, setUploads] = useState<ReadonlyMap<File, PhotoUpload>>(new Map());
  const uploadedUrls = useRef(new WeakMap<File, string>());

  const setUpload = (photo: File, upload: PhotoUpload) =>
    setUploads((before) => new Map(before).set(photo, upload));

  async function send(photo: File): Promise<string> {
    const attempt = () =>
      uploadPhoto(photo, {
        url: photos.uploadUrl,
        token: photos.ownHost ? token() : null,
        onProgress: (percent) => setUpload(photo, { status: 'uploading', percent }),
      });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UploadError && error.status === 401 && photos.ownHost)) throw error;
      // The token expired while the form was filled in. Any call of the contract renews it.
      await api.call(listOwnLaptops, { query: { limit: 1 } });
      return attempt();
    }
  }

  /** @throws UploadError, Problem */
  async function upload(photo: File): Promise<string> {
    const known = uploadedUrls.current.get(photo);
    if (known !== undefined) return known;
    setUpload(photo, { status: 'uploading', percent: 0 });
    try {
      const url = await send(photo);
      uploadedUrls.current.set(photo, url);
      setUpload(photo, { status: 'uploaded', url });
      return url;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The photo was not kept. Please try again.';
      setUpload(photo, { status: 'failed', message });
      throw error;
    }
  }

  /** Uploads all photos, also after a failure, so that a retry has fewer to send. @throws the first failure */
  async function uploadAll(chosen: readonly File[]): Promise<string[]> {
    const queue = chosen.values();
    const failures: unknown[] = [];
    const worker = async () => {
      for (const photo of queue) await upload(photo).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, worker));
    if (failures.length > 0) throw failures[0];
    const urls = chosen.map((photo) => uploadedUrls.current.get(photo) ?? '');
    // The host stores two files with the same content as one photo.
    return [...new Set(urls)];
  }

  return {
    /** By photo, for each started upload. */
    uploads,
    /** Discards the idempotency key: the same values are a new laptop from now on. */
    discardKey: () => idempotencyKeys.discard(email),
    /** Uploads a failed photo again; `uploads` shows the outcome. */
    retry: (photo: File) => void upload(photo).catch(() => undefined),
    /** Uploads the photos and lists the laptop. @throws UploadError, Problem */
    add: async (values: FormValues) => {
      const images = await uploadAll(values.photo);
      const { photo: _, ...texts } = values;
      await idempotencyKeys.send(email, { texts, images }, ({ idempotencyKey, startedAt }) =>
        api.call(listLaptop, { body: toNewLaptop(values, images, startedAt), idempotencyKey }),
      );
      void cache.invalidateQueries();
    },
  };
}
