import { PHOTO_FIELD, PhotoUploaded } from '#contract/photos.ts';
import { ProblemDocument } from '#contract/refusals.ts';

/** Milliseconds for a photo to arrive and be kept, over a slow connection. */
const UPLOAD_LIMIT = 5 * 60_000;

/** A photo that the image host did not keep; the message is a sentence for people. */
export class UploadFailed extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'UploadFailed';
    this.status = status;
  }
}

interface Upload {
  url: string;
  /** The bearer token, for the built-in host alone. */
  token: string | null;
  /** Per cent of the bytes that have left. */
  onProgress: (percent: number) => void;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failureOf(request: XMLHttpRequest): UploadFailed {
  const problem = ProblemDocument.safeParse(parsed(request.responseText));
  return new UploadFailed(
    problem.data?.detail ?? 'The image host did not keep the photo. Please try again.',
    request.status,
  );
}

/**
 * Sends a photo to the image host. Not by fetch, which cannot tell how far an upload has come.
 * @returns the hosted photo's URL @throws UploadFailed
 */
export function uploadPhoto(photo: File, { url, token, onProgress }: Upload): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (message: string) => reject(new UploadFailed(message, 0));
    request.open('POST', url);
    request.timeout = UPLOAD_LIMIT;
    request.setRequestHeader('accept', 'application/json');
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress((100 * loaded) / total);
    });
    request.addEventListener('load', () => {
      const answer = PhotoUploaded.safeParse(parsed(request.responseText));
      if (answer.success) resolve(answer.data.data.url);
      else reject(failureOf(request));
    });
    request.addEventListener('error', () =>
      fail('The image host cannot be reached. Please check your connection and try again.'),
    );
    request.addEventListener('timeout', () => fail('The photo took too long to upload. Please try again.'));
    const form = new FormData();
    form.append(PHOTO_FIELD, photo);
    request.send(form);
  });
}
