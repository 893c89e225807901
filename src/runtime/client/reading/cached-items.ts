/** Separation of list items into those that a cache can store and those that it cannot. */

import { DecodeError, isDecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { type Fields, isFields, isText } from '../../common/fields.ts';
import { inSlices } from '../../common/time-slice.ts';
import type { UnreadItem } from '../../protobuf/response/list-reader.ts';
import type { UnreadableItem } from '../../watch/source.ts';
import { type DecodedList, kindOf } from './decode.ts';

/** Members by which a cache distinguishes objects and their versions. */
const needed = ['name', 'uid', 'resourceVersion'] as const;

interface Sorted {
  readonly items: readonly unknown[];
  readonly unreadable: readonly UnreadableItem[];
}

/** Separates and completes the items of a list of any length, without blocking the event loop. */
export async function sortItems(
  { items, complete }: DecodedList,
  operation: RequestOperation,
): Promise<Sorted> {
  const readable: unknown[] = [];
  const unreadable: UnreadableItem[] = [];
  await inSlices(items, (item) => {
    const problem = problemOf(item, operation);
    if (problem !== undefined) unreadable.push(problem);
    else {
      complete(item);
      readable.push(item);
    }
  });
  return { items: readable, unreadable };
}

function problemOf(item: unknown, operation: RequestOperation): UnreadableItem | undefined {
  if (isUnread(item)) return { error: item.unread, ...item.metadata };
  const metadata = isFields(item) ? item['metadata'] : undefined;
  if (!isFields(metadata)) {
    const problem = isFields(item) ? 'has no metadata' : `is ${kindOf(item)}, not an object`;
    return { error: new DecodeError(`an item of the list ${problem}`, operation) };
  }
  const problem = metadataProblem(metadata);
  if (problem === undefined) return undefined;
  const { namespace, name } = metadata;
  const known = { ...(isText(namespace) && { namespace }), ...(isText(name) && { name }) };
  const which = known.name === undefined ? 'an item of the list' : Object.values(known).join('/');
  return { error: new DecodeError(`${which} ${problem}`, operation), ...known };
}

/**
 * Returns whether an item stands for one that could not be decoded. No decoded item has an error among its
 * members.
 */
function isUnread(item: unknown): item is UnreadItem {
  return isFields(item) && isDecodeError(item['unread']);
}

function metadataProblem(metadata: Fields): string | undefined {
  const missing = needed.find((name) => !isText(metadata[name]));
  if (missing !== undefined) return `has no ${missing}`;
  const { namespace = '' } = metadata;
  return typeof namespace === 'string' ? undefined : `has a namespace that is ${kindOf(namespace)}`;
}
