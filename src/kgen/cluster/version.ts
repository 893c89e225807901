import { isObject, own } from '../input/json.ts';
import { Refusal, Unavailable } from './refusal.ts';
import type { Server } from './server.ts';

/** Returns the minor version of the server, such as `1.36`, or `undefined` if it is unknown. */
export async function readKubernetesVersion(server: Server): Promise<string | undefined> {
  try {
    const { value } = await server.request({ path: '/version' });
    const text = (key: string): string => String((isObject(value) ? own(value, key) : undefined) ?? '');
    const match = /^(\d{1,3})\.(\d{1,4})/.exec(`${text('major')}.${text('minor')}`);
    return match === null ? undefined : match[0];
  } catch (cause) {
    // The version is only used for links to the API reference. Other requests report the error.
    if (cause instanceof Unavailable || cause instanceof Refusal) return undefined;
    throw cause;
  }
}
