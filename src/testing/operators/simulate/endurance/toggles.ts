/** Changes of one field that can be repeated for as long as needed: to another value, and back. */
import {
  at,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
} from '@kgen/schema/values/json';
import { idOf } from '../cluster.ts';
import { altered, fieldsOf } from '../schedule/edits.ts';
import { type FieldPath, restMs, type Step } from '../schedule/schedule.ts';

/** An object with a field that changes. */
export interface Toggle {
  readonly object: JsonObject;
  readonly path: FieldPath;
  /** The value in another sample, and that of the object; `null` without one. */
  readonly values: readonly [Json, Json];
}

/** A step of a user in a long run. */
export type UserStep = StepOf<'create'> | StepOf<'edit'>;

type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>;

/** Maximum number of fields whose values are taken from other samples, and of those with altered values. */
const mostFields = 5;

/** Returns changes of an object: to values that its fields have in other samples, and to altered ones. */
export function togglesOf(sample: JsonObject, samples: readonly JsonObject[]): readonly Toggle[] {
  const named = putAt(sample, ['metadata', 'name'], 'object-1');
  const spec = object(sample, 'spec');
  const toggles = (values: readonly (readonly [FieldPath, Json])[]): readonly Toggle[] => {
    const known = values.flatMap(([path, value]): Toggle[] => {
      const present = at(spec, ...path) ?? null;
      // Objects are merged, so that their former value cannot be set.
      const isAlike = isObject(value) || isObject(present) || equal(value, present);
      return isAlike ? [] : [{ object: named, path, values: [value, present] }];
    });
    const byPath = new Map(known.map((toggle) => [toggle.path.join('.'), toggle]));
    return [...byPath.values()].slice(0, mostFields);
  };
  const others = samples.filter((other) => own(other, 'kind') === own(sample, 'kind'));
  return [
    ...toggles(others.flatMap((other) => fieldsOf(object(other, 'spec'), []))),
    ...toggles(fieldsOf(spec, []).map(([path, value]) => [path, altered(value)[0] ?? value])),
  ];
}

/** Returns the step that creates the object. */
export function creationOf(sample: JsonObject): StepOf<'create'> {
  return { do: 'create', object: putAt(sample, ['metadata', 'name'], 'object-1'), waitMs: restMs };
}

/** Returns the nth change, from 0: those with an even number are back at the value of the object. */
export function changeOf({ object: value, path, values }: Toggle, number: number): StepOf<'edit'> {
  const [other, present] = values;
  const next = number % 2 === 1 ? other : present;
  return { do: 'edit', target: idOf(value), path: ['spec', ...path], value: next, waitMs: restMs };
}
