/** Members of a status that many kinds have. */
import { type Fields, isFields } from '../../common/fields.ts';
import { readableText, stringOf } from '../../common/readable.ts';

/**
 * Members of a status that this module reads. Conditions are unvalidated objects: their members may be of any
 * type.
 */
export interface ObservedStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Fields[];
}

/**
 * Returns the observed part of an object's status. Not every kind has a status, and a status may be any JSON.
 */
export function statusOf(object: object): ObservedStatus {
  const status: unknown = Reflect.get(object, 'status');
  if (!isFields(status)) return {};
  const { conditions, observedGeneration } = status;
  return {
    ...(typeof observedGeneration === 'number' && { observedGeneration }),
    ...(Array.isArray(conditions) && { conditions: conditions.filter(isFields) }),
  };
}

/** Maximum number of conditions in a message. */
const named = 100;

/**
 * Returns the conditions of an object for messages, such as `Ready=False (NoNodes), Synced=True`, or an empty
 * string. Never throws.
 */
export function describeConditions(object: object): string {
  const conditions = statusOf(object).conditions ?? [];
  const texts = conditions.slice(0, named).map(({ type, status, reason }) => {
    const why = reason ? ` (${stringOf(reason)})` : '';
    return `${stringOf(type)}=${stringOf(status)}${why}`;
  });
  return readableText(texts.join(', '));
}
