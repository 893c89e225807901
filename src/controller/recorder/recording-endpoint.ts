/** The endpoint `/debug/recording`: the flight recorder, for the page of `kgen dev` and `kgen run`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Endpoint, textResponse } from '../health/endpoint.ts';
import type { FlightRecorder } from './flight-recorder.ts';

export const recordingPath = '/debug/recording';

/** Parts of the endpoint. */
export interface RecordingEndpointOptions {
  readonly recorder: Pick<FlightRecorder, 'position' | 'text'>;
  /** Bearer token of the only caller: pages of browsers reach the address, too. */
  readonly token: string;
}

/**
 * Returns the endpoint of `/debug/recording`: the recording as text, with its position as `etag`. The
 * parameter `after` is a position for which 304 is sent if nothing has been recorded since.
 */
export function recordingEndpoint({ recorder, token }: RecordingEndpointOptions): Endpoint {
  return async ({ query, authorization = '' }) => {
    if (!isEqual(authorization, `Bearer ${token}`)) return textResponse(401, 'a bearer token is required\n');
    const etag = `"${recorder.position}"`;
    if (query.get('after') === etag) return textResponse(304, '', { etag });
    return textResponse(200, await recorder.text('live'), { etag });
  };
}

/** Takes equal time for all texts. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
