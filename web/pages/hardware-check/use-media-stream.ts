import { useCallback, useEffect, useRef, useState } from 'react';

/** Why a camera or a microphone cannot be used, and what to do. @param error what `getUserMedia` threw */
export function mediaFailure(error: unknown, device: 'camera' | 'microphone'): string {
  const name = error instanceof Error ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return `The browser was not allowed to use the ${device}. Allow it in the site settings beside the address, then try again, or skip this test.`;
    case 'NotFoundError':
    case 'OverconstrainedError':
      return `The browser found no ${device}. If this laptop has one, it may be switched off by a key, a shutter or the firmware. Try again, or answer below.`;
    case 'NotReadableError':
    case 'AbortError':
      return `The ${device} could not be started. Another program may be using it: close it and try again.`;
    default:
      return `This browser cannot use the ${device} here. Try another browser, or skip this test.`;
  }
}

export type MediaState =
  | { status: 'off' }
  | { status: 'asking' }
  | { status: 'on'; stream: MediaStream }
  | { status: 'failed'; message: string };

const stopTracks = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

const constraints = {
  camera: { video: true },
  // The speakers of the same laptop play what was recorded; the browser must not remove it as an echo.
  microphone: { audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } },
} as const satisfies Record<string, MediaStreamConstraints>;

/** The stream of the camera or the microphone, from `start` until `stop` or until the component is gone. */
export function useMediaStream(device: keyof typeof constraints) {
  const [state, setState] = useState<MediaState>({ status: 'off' });
  const current = useRef<MediaStream | null>(null);
  const isGone = useRef(false);

  const stop = useCallback(() => {
    if (current.current !== null) stopTracks(current.current);
    current.current = null;
    setState({ status: 'off' });
  }, []);

  const start = useCallback(async (): Promise<MediaStream | null> => {
    setState({ status: 'asking' });
    try {
      const stream = await navigator.mediaDevices.getUserMedia(constraints[device]);
      // The person may have gone on while the browser asked.
      if (isGone.current) {
        stopTracks(stream);
        return null;
      }
      current.current = stream;
      setState({ status: 'on', stream });
      return stream;
    } catch (error) {
      setState({ status: 'failed', message: mediaFailure(error, device) });
      return null;
    }
  }, [device]);

  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (current.current !== null) stopTracks(current.current);
      current.current = null;
    };
  }, []);
  return { state, start, stop };
}
