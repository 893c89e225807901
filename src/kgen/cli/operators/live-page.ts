/** The page of `kgen dev` and `kgen run`: the operator as its recording shows it, while it runs. */
import type { LocalPorts, RecordingAddress } from '../../project/local/ports.ts';
import { livePage } from '../../view/page.ts';
import { type LiveSource, servePage } from '../../view/server.ts';
import type { DevCluster } from './run.ts';

/** Limit of a response of the operator, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Serves the page until the process ends. Returns a line for each address of the operator.
 * @param cluster that of `kgen dev`, which the page shows and changes. Default: none
 * @throws {Error} if no port can be opened
 */
export async function openLivePage(
  { reconciles, recording }: LocalPorts,
  { record, act }: Pick<DevCluster, 'record' | 'act'> = {},
): Promise<readonly string[]> {
  const sources = {
    operator: recordingSource(recording),
    ...(record !== undefined && { cluster: async (after: string) => record(after) }),
  };
  const { url } = await servePage(livePage(), { sources, act });
  return [
    `${reconciles} has the last reconciles, with their causes and writes`,
    `${url} shows the operator in a browser`,
  ];
}

/** Returns the recording that a process serves. */
export function recordingSource({ url, token }: RecordingAddress): LiveSource {
  return async (after) => {
    try {
      const response = await fetch(`${url}?${new URLSearchParams({ after })}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const [{ status }, tag] = [response, response.headers.get('etag') ?? ''];
      if (status === 403) return { problem: text.trim() };
      if (status !== 200) return { problem: `the operator has no recording: it responds with ${status}` };
      return { tag, text };
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      return { problem: isLate ? 'the operator does not respond' : 'the operator does not run' };
    }
  };
}
