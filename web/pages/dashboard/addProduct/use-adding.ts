import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listLaptop, listOwnLaptops } from '#contract/catalogue.ts';
import { useApi, useSessionActions, useSettings } from '../../../session/session.tsx';
import { type Answers, newLaptopOf } from './answers.ts';
import { UploadFailed, uploadPhoto } from './upload-photo.ts';

export interface Adding {
  /** Uploads the photo and lists the laptop. @throws UploadFailed, Problem */
  add: (answers: Answers, photo: File) => Promise<void>;
  /** Per cent of the photo uploaded; null when nothing is being uploaded. */
  progress: number | null;
}

/** Adds a laptop. A photo that has been uploaded is not uploaded again when only what follows failed. */
export function useAdding(): Adding {
  const api = useApi();
  const cache = useQueryClient();
  const { token } = useSessionActions();
  const { photos } = useSettings();
  const [progress, setProgress] = useState<number | null>(null);
  const hosted = useRef(new WeakMap<File, string>());

  async function upload(photo: File): Promise<string> {
    const send = () =>
      uploadPhoto(photo, {
        url: photos.uploadUrl,
        token: photos.ownHost ? token() : null,
        onProgress: setProgress,
      });
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof UploadFailed && error.status === 401 && photos.ownHost)) throw error;
      // The token ran out while the form was being filled in: any call of the contract renews it.
      await api.call(listOwnLaptops, { query: { limit: 1 } });
      return send();
    }
  }

  return {
    progress,
    add: async (answers, photo) => {
      let image = hosted.current.get(photo);
      if (image === undefined) {
        setProgress(0);
        try {
          image = await upload(photo);
        } finally {
          setProgress(null);
        }
        hosted.current.set(photo, image);
      }
      await api.call(listLaptop, { body: newLaptopOf(answers, image, new Date()) });
      void cache.invalidateQueries();
    },
  };
}
