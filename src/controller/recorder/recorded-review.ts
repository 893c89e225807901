/** Reviews of webhooks as they are recorded. */
import { isObject, member } from '../members.ts';
import type { EndedReview } from '../records/review-record.ts';
import { isSecret } from '../secrecy/rules.ts';
import type { RecordedReview } from './entries.ts';
import type { LineFormat } from './line-format.ts';

/**
 * Returns the entry of a review. Its patch is an array, in which values of Secrets can be found.
 * @returns `undefined` for a review of a Secret: its response depends on values that are not recorded; and
 *   for one that is not JSON
 */
export function reviewEntry(
  { at, path, body, response: { status, body: text } }: EndedReview,
  format: LineFormat,
  includeSecrets: boolean,
): RecordedReview | undefined {
  const [review, response] = [jsonOf(Buffer.from(body).toString()), jsonOf(text)];
  if (!isObject(review)) return undefined;
  const request = member(review, 'request');
  const resource = member(request, 'resource');
  const target = { group: String(member(resource, 'group')), resource: String(member(resource, 'resource')) };
  if (isSecret(target) && !includeSecrets) return undefined;
  const shown = (value: unknown): unknown => format.shown(value, target);
  return {
    ...{ type: 'review', at, path, status },
    review: { ...review, request: withObjects(request, shown) },
    response: isObject(response)
      ? { ...response, response: withObjects(withPatch(member(response, 'response')), shown) }
      : text,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objects: ReadonlySet<string> = new Set(['object', 'oldObject', 'patch']);
const lists: ReadonlySet<string> = new Set(['objects', 'convertedObjects']);

/** Returns a request or a response with its objects as they are recorded. */
function withObjects(value: unknown, shown: (value: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): readonly [string, unknown] => {
    if (objects.has(key)) return [key, shown(item)];
    return [key, lists.has(key) && Array.isArray(item) ? item.map(shown) : item];
  });
  return Object.fromEntries(entries);
}

function withPatch(response: unknown): unknown {
  const patch = member(response, 'patch');
  if (typeof patch !== 'string' || !isObject(response)) return response;
  return { ...response, patch: jsonOf(Buffer.from(patch, 'base64').toString()) };
}
