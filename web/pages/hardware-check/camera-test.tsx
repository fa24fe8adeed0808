import { useEffect, useRef, useState } from 'react';
import { Button, SecondaryButton } from '../../ui/button.tsx';
import { TestCard, type TestProps } from './test-card.tsx';
import { useMediaStream } from './use-media-stream.ts';

/** Shows the camera's picture. Nothing is recorded or sent. */
export function CameraTest(props: TestProps) {
  const { state, start, stop } = useMediaStream('camera');
  const [hasPicture, setHasPicture] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const stream = state.status === 'on' ? state.stream : null;
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  return (
    <TestCard
      {...props}
      instructions={
        <p>
          Turn the camera on and look at its picture. The picture stays on this laptop: nothing is recorded
          and nothing is sent. The browser asks for your permission.
        </p>
      }
      passLabel="The picture is good"
      before={hasPicture ? null : 'Turn the camera on first.'}
      failLabel="It does not work"
    >
      {stream === null ? (
        <Button
          variant="secondary"
          onClick={() => void start()}
          busy={state.status === 'asking' && 'Waiting for the camera'}
        >
          {state.status === 'failed' || hasPicture ? 'Try again' : 'Turn the camera on'}
        </Button>
      ) : (
        <SecondaryButton onClick={stop}>Turn the camera off</SecondaryButton>
      )}
      <p role="status" className="mt-3">
        {state.status === 'failed' && state.message}
        {stream !== null && (hasPicture ? 'The camera is on.' : 'The camera is on; waiting for its picture.')}
      </p>
      {stream !== null && (
        <video
          ref={video}
          muted
          autoPlay
          playsInline
          aria-label="The camera’s picture"
          onLoadedData={() => setHasPicture(true)}
          className="mt-3 aspect-video w-full max-w-xl -scale-x-100 rounded-lg bg-subtle object-contain"
        />
      )}
    </TestCard>
  );
}
