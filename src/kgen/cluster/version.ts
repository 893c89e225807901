import { isObject, own } from '../input/json.ts';
import { Refusal, Unavailable } from './refusal.ts';
import type { Server } from './server.ts';

/** The minor version of the server, such as `1.36`; undefined where it does not say. */
export async function readKubernetesVersion(server: Server): Promise<string | undefined> {
  try {
    const { value } = await server.ask({ path: '/version' });
    const text = (key: string): string => String((isObject(value) ? own(value, key) : undefined) ?? '');
    const match = /^(\d{1,3})\.(\d{1,4})/.exec(`${text('major')}.${text('minor')}`);
    return match === null ? undefined : match[0];
  } catch (cause) {
    // It is only used for links to a reference; what keeps the rest from being read is said there.
    if (cause instanceof Unavailable || cause instanceof Refusal) return undefined;
    throw cause;
  }
}
