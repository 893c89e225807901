/** Requests that check whether a server is ready. */
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';

const responseMs = 5_000;
const pauseMs = 50;

/** Response of a server to a GET, or the error. */
export interface ProbeResponse {
  readonly status: number | undefined;
  /** The beginning of the body, or the error of the connection. */
  readonly text: string;
}

/** Sends one GET request on a connection of its own. Never rejects: an error is a response without status. */
export function get(config: ClusterConfig, path: string): Promise<ProbeResponse> {
  const { ca, cert, key } = config.tls ?? {};
  const token = config.auth?.token;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const failed = (error: Error): void => resolve({ status: undefined, text: error.message });
    const options = { ca, cert, key, headers, agent: false, timeout: responseMs };
    const sent = request(new URL(path, config.server), options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text = (text + chunk).slice(0, 2_000);
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', failed);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${responseMs / 1_000} s`)));
    sent.on('error', failed).end();
  });
}

/**
 * Requests `path` until the status is 200.
 *
 * @param mayGoOn called before each request with the last response; throws if further requests are pointless
 */
export async function untilOk(
  config: ClusterConfig,
  path: string,
  mayGoOn: (last: ProbeResponse | undefined) => void,
): Promise<void> {
  let response: ProbeResponse | undefined;
  while (response?.status !== 200) {
    mayGoOn(response);
    if (response) await delay(pauseMs);
    response = await get(config, path);
  }
}
