/** Responses to conversion reviews. */

import { errorOf } from '../../errors.ts';
import { isObject, type JsonObject, member, metadataString } from '../../members.ts';
import type { ConversionWebhook } from '../declarations/conversion.ts';
import { ConversionError, convertObject, versionOf } from './conversion.ts';
import { Refusal, shortened, textIn } from './envelope.ts';

/** Objects between two turns of the event loop, in which the process does other work. */
const objectsPerTurn = 200;

/** Result of a conversion review: all objects, or the failure of one. */
export type Conversion =
  | { readonly objects: readonly JsonObject[]; readonly err?: undefined }
  | { readonly err: Error; readonly object: JsonObject | undefined; readonly message: string };

/**
 * Converts the objects of a request in their order.
 * @throws {Refusal} for a request that is not one of a conversion
 */
export async function convertAll(
  webhook: ConversionWebhook,
  request: JsonObject,
  signal: AbortSignal,
): Promise<Conversion> {
  const desired = textIn(request, 'desiredAPIVersion');
  const list = member(request, 'objects') ?? [];
  if (!Array.isArray(list) || !list.every(isObject))
    throw new Refusal('objects of request must be a list of objects');
  const objects: JsonObject[] = [];
  let current: JsonObject | undefined;
  try {
    const to = versionOf(webhook, desired);
    for (const object of list) {
      current = object;
      if (signal.aborted) throw new ConversionError('no response within the time limit of the API server');
      objects.push(convertObject(webhook, object, to));
      if (objects.length % objectsPerTurn === 0) await new Promise(setImmediate);
    }
    return { objects };
  } catch (thrown) {
    const err = errorOf(thrown);
    const what = current === undefined ? webhook.resource.kind : describe(current);
    return {
      err,
      object: current,
      message: `conversion of ${what} to ${shortened(desired)} failed: ${err.message}`,
    };
  }
}

/** Identity of an object for messages, of strings of any length and characters. */
function describe(object: JsonObject): string {
  const namespace = member(member(object, 'metadata'), 'namespace');
  const name = metadataString(object, 'name') ?? '';
  const path = typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : name;
  const [kind, version] = [member(object, 'kind'), member(object, 'apiVersion')];
  return `${shortened(String(kind))} ${shortened(path)} of ${shortened(String(version))}`;
}
