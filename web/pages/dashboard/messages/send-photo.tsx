import { useRef } from 'react';
import { PHOTO_ACCEPT } from '#contract/photos.ts';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useSettings } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';

interface SendPhotoProps {
  conversationId: string;
  /** Called with the address of an uploaded photo. */
  onUploaded: (photo: string) => void;
}

/** The button that sends a photo. Only the built-in image host keeps photos private, so there is none with another one. */
export function SendPhoto({ conversationId, onUploaded }: SendPhotoProps) {
  const { photos } = useSettings();
  const { uploads, uploadAll } = usePhotoUploads(conversationId);
  const input = useRef<HTMLInputElement>(null);
  if (!photos.ownHost) return null;
  const running = [...uploads.values()].find(({ status }) => status === 'uploading');

  async function send(file: File) {
    try {
      for (const url of await uploadAll([file])) onUploaded(url);
    } catch (error) {
      const reason = navigator.onLine ? errorMessage(error) : 'Choose it again when you are back online.';
      toast.error(`The photo was not sent. ${reason}`);
    }
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        accept={PHOTO_ACCEPT}
        aria-label="Photo to send"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (file !== undefined) void send(file);
        }}
      />
      <Button
        variant="secondary"
        size="small"
        busy={running?.status === 'uploading' && `${Math.round(running.percent)} %`}
        onClick={() => input.current?.click()}
      >
        Photo
      </Button>
    </>
  );
}
