import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { PHOTO_ACCEPT } from '#contract/listings/photos.ts';
import { Problem } from '#contract/platform/client.ts';
import { UploadError } from '../../../laptop-form/upload-photo.ts';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useSettings } from '../../../session/session.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { FileInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

interface SendPhotoProps {
  conversationId: string;
  /** Called with the address of an uploaded photo. */
  onUploaded: (photo: string) => void;
}

/** Whether there was no response, so that the same photo can be sent later. */
const isUnreachable = (error: unknown) =>
  (error instanceof UploadError || error instanceof Problem) && error.status === 0;

/**
 * The button that sends a photo. One that could not be sent is kept until the page is left. Only the built-in image host keeps
 * photos private, so there is no button with another one.
 */
export function SendPhoto({ conversationId, onUploaded }: SendPhotoProps) {
  const { photos } = useSettings();
  const { uploads, uploadAll } = usePhotoUploads(conversationId);
  const [unsent, setUnsent] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);

  async function send(file: File) {
    setUnsent(null);
    try {
      for (const url of await uploadAll([file])) onUploaded(url);
    } catch (error) {
      if (isUnreachable(error)) setUnsent(file);
      toast.error(
        isUnreachable(error) && !navigator.onLine
          ? 'The photo is kept while this conversation is open, and sent when you are back online.'
          : `The photo was not sent. ${errorMessage(error)}`,
      );
    }
  }

  const sendUnsent = useEffectEvent(() => {
    if (unsent !== null) void send(unsent);
  });
  useEffect(() => {
    const attempt = () => sendUnsent();
    addEventListener('online', attempt);
    return () => removeEventListener('online', attempt);
  }, []);

  if (!photos.ownHost) return null;
  const running = [...uploads.values()].find(({ status }) => status === 'uploading');
  if (unsent !== null) {
    return (
      <>
        <SmallButton aria-label={`Resend photo ${unsent.name}`} onClick={() => void send(unsent)}>
          Resend photo
        </SmallButton>
        <SmallButton
          variant="quiet"
          aria-label={`Remove photo ${unsent.name}`}
          onClick={() => setUnsent(null)}
        >
          Remove photo
        </SmallButton>
      </>
    );
  }

  return (
    <>
      <FileInput
        ref={input}
        accept={PHOTO_ACCEPT}
        aria-label="Photo to send"
        hidden
        onFiles={([file]) => file !== undefined && void send(file)}
      />
      <SmallButton
        busy={running?.status === 'uploading' && `${Math.round(running.percent)} %`}
        onClick={() => input.current?.click()}
      >
        Photo
      </SmallButton>
    </>
  );
}
