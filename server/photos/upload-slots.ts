/** A slot for one upload in progress. Disposing of it releases the slot. */
export type UploadSlot = Disposable;

/**
 * Limits the uploads in progress, from their first byte to the response. Uploads over a limit are refused, not queued:
 * a queued one would occupy a connection and a file.
 * @param limits.total for all uploaders together
 * @param limits.perUploader for one uploader, so that one account cannot use all slots
 */
export function createUploadSlots(limits: { total: number; perUploader: number }) {
  const usedByUploader = new Map<string, number>();
  let used = 0;
  return {
    /** Acquires a slot without waiting. @returns the limit that is reached when there is none */
    tryAcquire(uploaderId: string): UploadSlot | 'uploader' | 'total' {
      const uploaderSlots = usedByUploader.get(uploaderId) ?? 0;
      if (uploaderSlots >= limits.perUploader) return 'uploader';
      if (used >= limits.total) return 'total';
      usedByUploader.set(uploaderId, uploaderSlots + 1);
      used += 1;
      return {
        [Symbol.dispose]() {
          const remaining = (usedByUploader.get(uploaderId) ?? 1) - 1;
          if (remaining === 0) usedByUploader.delete(uploaderId);
          else usedByUploader.set(uploaderId, remaining);
          used -= 1;
        },
      };
    },
  };
}
