/** Milliseconds that are recorded. */
export const RECORDING_MS = 2_000;

/** The loudest sample between -1 and 1 in percent. */
export function loudness(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return Math.min(100, Math.round(peak * 100));
}

/** The least loudness in percent that is a sound, not the noise of the electronics. */
const SILENCE = 2;

/** What was heard, in words. @param peak the loudest moment in percent */
export function recordingWords(peak: number): string {
  return peak < SILENCE
    ? 'No sound arrived. Check that the microphone is not muted, speak louder and record again.'
    : `The loudest moment had ${peak} %.`;
}

/**
 * Records a stream.
 * @param onLevel is called about every 50 ms with the loudness in percent
 * @returns the recording, encoded as the browser chooses
 */
export async function record(
  context: AudioContext,
  stream: MediaStream,
  onLevel: (percent: number) => void,
): Promise<Blob> {
  const analyser = context.createAnalyser();
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    onLevel(loudness(samples));
  }, 50);
  try {
    return await new Promise<Blob>((resolve, reject) => {
      const recorder = new MediaRecorder(stream);
      const parts: Blob[] = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.onstop = () => resolve(new Blob(parts, { type: recorder.mimeType }));
      recorder.onerror = () => reject(new Error('The browser could not record.'));
      recorder.start();
      setTimeout(() => {
        if (recorder.state !== 'inactive') recorder.stop();
      }, RECORDING_MS);
    });
  } finally {
    clearInterval(timer);
    source.disconnect();
  }
}

/** Plays a recording to its end. Through the context, so that the page needs no `blob:` in its policy for media. */
export async function play(context: AudioContext, recording: Blob): Promise<void> {
  const buffer = await context.decodeAudioData(await recording.arrayBuffer());
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  await new Promise<void>((resolve) => {
    source.onended = () => resolve();
    source.start();
  });
}
