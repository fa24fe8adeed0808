import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { play, RECORDING_MS, record, recordingWords } from './sound.ts';
import { TestCard, type TestProps } from './test-card.tsx';
import { useMediaStream } from './use-media-stream.ts';

type Phase = 'idle' | 'recording' | 'playing' | 'failed';

const unplayable =
  'The recording could not be made or played. Another program may use the sound. Try again, or skip this test.';

/** Records two seconds and plays them: microphone and speakers in one test. Nothing is sent. */
export function MicrophoneTest(props: TestProps) {
  const { state, start, stop } = useMediaStream('microphone');
  const [phase, setPhase] = useState<Phase>('idle');
  const [level, setLevel] = useState(0);
  const [peak, setPeak] = useState<number | null>(null);
  const [recording, setRecording] = useState<Blob | null>(null);
  const context = useRef<AudioContext | null>(null);
  useEffect(
    () => () => {
      void context.current?.close();
      context.current = null;
    },
    [],
  );
  const openContext = () => {
    context.current ??= new AudioContext();
    return context.current;
  };

  async function playBack(sound: Blob) {
    setPhase('playing');
    try {
      await play(openContext(), sound);
      setPhase('idle');
    } catch {
      setPhase('failed');
    }
  }
  async function recordAndPlay() {
    const audio = openContext();
    const stream = await start();
    if (stream === null) return;
    let loudest = 0;
    setPhase('recording');
    setPeak(null);
    try {
      const sound = await record(audio, stream, (percent) => {
        loudest = Math.max(loudest, percent);
        setLevel(percent);
      });
      setPeak(loudest);
      setRecording(sound);
      stop();
      await playBack(sound);
    } catch {
      stop();
      setPhase('failed');
    }
  }
  const isBusy = phase === 'recording' || phase === 'playing';
  return (
    <TestCard
      {...props}
      instructions={
        <p>
          The page records {RECORDING_MS / 1000} seconds and plays them on the laptop’s speakers. Unplug
          headphones, turn the volume up and say a few words. The sound stays on this laptop: nothing is sent.
        </p>
      }
      passLabel="I heard the recording"
      before={recording === null || isBusy ? 'Record and listen first.' : null}
      failLabel="I did not hear it"
    >
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() => void recordAndPlay()}
          busy={
            state.status === 'asking'
              ? 'Waiting for the microphone'
              : phase === 'recording'
                ? 'Recording'
                : phase === 'playing' && 'Playing'
          }
        >
          {recording === null ? 'Record two seconds' : 'Record again'}
        </Button>
        {recording !== null && !isBusy && (
          <Button variant="quiet" onClick={() => void playBack(recording)}>
            Play again
          </Button>
        )}
      </div>
      <label className="mt-4 block max-w-md">
        <span className="text-sm">Level</span>
        <meter min={0} max={100} value={phase === 'recording' ? level : 0} className="block h-4 w-full">
          {phase === 'recording' ? level : 0} %
        </meter>
      </label>
      <p role="status" className="mt-3">
        {state.status === 'failed' && state.message}
        {phase === 'recording' && 'Recording: speak now.'}
        {phase === 'playing' && 'Playing the recording.'}
        {phase === 'failed' && unplayable}
        {phase === 'idle' && peak !== null && recordingWords(peak)}
      </p>
    </TestCard>
  );
}
