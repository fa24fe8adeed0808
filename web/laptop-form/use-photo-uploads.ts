import { useRef, useState } from 'react';
import { isAdmin } from '#contract/people/accounts.ts';
import { useApi, usePerson, useSessionStore, useSettings } from '../session/session.tsx';
import type { FormPhoto } from './photo-list.ts';
import { UploadError, uploadPhoto } from './upload-photo.ts';

/** The state of a photo's upload. */
export type PhotoUpload =
  | { status: 'uploading'; percent: number }
  | { status: 'uploaded'; url: string }
  | { status: 'failed'; message: string };

/** Two, so that one upload uses the network while the host processes the other. */
const CONCURRENT_UPLOADS = 2;

/**
 * Uploads the photos of the form. A photo that was uploaded before is not uploaded again.
 * @param conversationId the conversation to which they belong, and which keeps them private; left out: they are public
 */
export function usePhotoUploads(conversationId?: string) {
  const api = useApi();
  const { token } = useSessionStore();
  const { photos } = useSettings();
  const { email } = usePerson();
  const [uploads, setUploads] = useState<ReadonlyMap<FormPhoto, PhotoUpload>>(new Map());
  const uploadedUrls = useRef(new WeakMap<File, string>());

  const setUpload = (photo: File, upload: PhotoUpload) =>
    setUploads((before) => new Map(before).set(photo, upload));

  async function send(photo: File): Promise<string> {
    const attempt = () =>
      uploadPhoto(photo, {
        url:
          conversationId === undefined
            ? photos.uploadUrl
            : `${photos.uploadUrl}&conversation=${conversationId}`,
        token: photos.ownHost ? token() : null,
        onProgress: (percent) => setUpload(photo, { status: 'uploading', percent }),
      });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UploadError && error.status === 401 && photos.ownHost)) throw error;
      // The token expired while the form was filled in. Any call of the contract renews it; this one is open to every role.
      await api.call(isAdmin, { params: { email } });
      return attempt();
    }
  }

  /** @returns the photo's URL @throws UploadError, Problem */
  async function upload(photo: FormPhoto): Promise<string> {
    if (typeof photo === 'string') return photo;
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

  /**
   * Uploads all photos, also after a failure, so that a retry has fewer to send.
   * @returns the URL of each, in display order; the same for files with the same content, which the host stores once
   * @throws the first failure
   */
  async function uploadAll(chosen: readonly FormPhoto[]): Promise<string[]> {
    const urls: string[] = [];
    const queue = chosen.entries();
    const failures: unknown[] = [];
    const worker = async () => {
      for (const [index, photo] of queue) {
        try {
          urls[index] = await upload(photo);
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, worker));
    if (failures.length > 0) throw failures[0];
    return urls;
  }

  return {
    /** By photo, for each started upload. */
    uploads,
    /** Uploads a failed photo again; `uploads` shows the outcome. */
    retry: (photo: FormPhoto) => void upload(photo).catch(() => undefined),
    uploadAll,
  };
}
