import { PHOTO_FIELD, PhotoUploaded } from '#contract/listings/photos.ts';
import { ProblemDocument } from '#contract/platform/refusals.ts';

/** Milliseconds; enough for a slow connection. */
const UPLOAD_TIMEOUT = 5 * 60_000;

/** A failed upload; the message is a sentence for people. */
export class UploadError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** In how many seconds the same upload can succeed, as the host says; null when it does not say. */
  readonly retryAfter: number | null;

  constructor(message: string, status: number, retryAfter: number | null = null) {
    super(message);
    this.name = 'UploadError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

interface Upload {
  url: string;
  /** The bearer token, for the built-in host alone. */
  token: string | null;
  /** Called with the per cent of bytes sent. */
  onProgress: (percent: number) => void;
}

function failureOf(request: XMLHttpRequest): UploadError {
  const problem = ProblemDocument.safeParse(request.response);
  const retryAfter = Number.parseInt(request.getResponseHeader('retry-after') ?? '', 10);
  return new UploadError(
    problem.data?.detail ?? 'The image host did not keep the photo. Please try again.',
    request.status,
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

/** It uses XMLHttpRequest, because fetch reports no upload progress. */
function send(photo: File, { url, token, onProgress }: Upload): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (message: string) => reject(new UploadError(message, 0));
    request.open('POST', url);
    request.timeout = UPLOAD_TIMEOUT;
    request.responseType = 'json';
    request.setRequestHeader('accept', 'application/json');
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress((100 * loaded) / total);
    });
    request.addEventListener('load', () => {
      const answer = PhotoUploaded.safeParse(request.response);
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

/** How many times an upload is sent that others from the same network delay, and the longest wait in between, in seconds. */
const [ATTEMPTS, LONGEST_WAIT] = [4, 10];

/**
 * Uploads a photo to the image host. While others from the same network upload as many photos as may be, it waits.
 * @returns the hosted photo's URL @throws UploadError
 */
export async function uploadPhoto(photo: File, upload: Upload): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(photo, upload);
    } catch (error) {
      const wait = error instanceof UploadError && error.status === 429 ? error.retryAfter : null;
      if (wait === null || wait > LONGEST_WAIT || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    }
  }
}
