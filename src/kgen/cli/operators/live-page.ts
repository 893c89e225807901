/** The page of `kgen dev` and `kgen run`: the operator as its recording shows it, while it runs. */
import type { LocalPorts, RecordingAddress } from '../../project/local/ports.ts';
import { livePage } from '../../view/page.ts';
import { viewOfRecording } from '../../view/recording.ts';
import { type LiveDocument, type LiveSource, servePage } from '../../view/server.ts';

/** Limit of a response of the operator, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Serves the page until the process ends. Returns a line for each address of the operator.
 * @throws {Error} if no port can be opened
 */
export async function openLivePage({ reconciles, recording }: LocalPorts): Promise<readonly string[]> {
  const { url } = await servePage(livePage(), recordingSource(recording));
  return [
    `${reconciles} has the last reconciles, with their causes and writes`,
    `${url} shows the operator in a browser`,
  ];
}

/** Returns the document of a recording that a process serves. */
export function recordingSource({ url, token }: RecordingAddress): LiveSource {
  return async (tag) => {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const [{ status }, next] = [response, response.headers.get('etag') ?? ''];
      if (status === 200 && next !== '' && next === tag) return { status: 304, tag: next, body: '' };
      if (status !== 200) return unavailable(`the operator has no recording: it responds with ${status}`);
      return { status, tag: next, body: JSON.stringify(viewOfRecording(text)) };
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      return unavailable(isLate ? 'the operator does not respond' : 'the operator does not run');
    }
  };
}

function unavailable(body: string): LiveDocument {
  return { status: 503, tag: '', body };
}
