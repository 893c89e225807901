/** The endpoint `/debug/recording`: the flight recorder, for the page of an operator that runs. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Endpoint, type EndpointResponse, textResponse } from '../health/endpoint.ts';
import type { FlightRecorder } from './flight-recorder.ts';

export const recordingPath = '/debug/recording';

/** Parts of the endpoint. */
export interface RecordingEndpointOptions {
  readonly recorder: Pick<FlightRecorder, 'since' | 'hasSecrets'>;
  /** Decides who may read the recording. Default: every caller that names a loopback host. */
  readonly access?: RecordingAccess | undefined;
}

/** Access to the recording. */
export interface RecordingAccess {
  /** Returns the response that refuses a request; `undefined` if it is allowed. */
  refusalOf(
    authorization: string | undefined,
    path: string,
  ): Promise<EndpointResponse | undefined> | EndpointResponse | undefined;
}

/**
 * Returns the endpoint of `/debug/recording`: the recording as text, with the tag of its end as `etag`. The
 * parameter `after` is the tag of a response: then it is the increment since, if it is still recorded.
 */
export function recordingEndpoint({ recorder, access }: RecordingEndpointOptions): Endpoint {
  return async ({ path, query, authorization, host }) => {
    // A page of a browser whose name resolves to this machine (DNS rebinding) has another host.
    if (access === undefined && !isLocalName(host)) return textResponse(421, 'unknown host\n');
    const refusal = await access?.refusalOf(authorization, path);
    if (refusal !== undefined) return refusal;
    if (recorder.hasSecrets) return textResponse(403, secretsText);
    const { tag, text } = await recorder.since(query.get('after') ?? '');
    return textResponse(200, text, { etag: tag });
  };
}

const secretsText =
  'the recording has values of Secrets, which leave the process in files only: remove the option ' +
  'recorder.includeSecrets of the manager to serve it\n';

/** Returns the access of a single caller, which has this token: pages of browsers reach the address, too. */
export function tokenAccess(token: string): RecordingAccess {
  return {
    refusalOf: (authorization = '') =>
      isEqual(authorization, `Bearer ${token}`)
        ? undefined
        : textResponse(401, 'a bearer token is required\n'),
  };
}

function isLocalName(host = ''): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

/** Takes equal time for all texts. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
