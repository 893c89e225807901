/** Goals that the samples of a resource reach together: every option of every place of its schema. */

import { parseSchema } from '@kgen/schema/validation/structural';
import { validateSchema } from '@kgen/schema/validation/validate';
import {
  array,
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  own,
  text,
} from '@kgen/schema/values/json';
import { isLeaf } from './built-in/hints.ts';
import { sharedLimits } from './built-in/rules.ts';
import type { Aspect, Goal } from './choices.ts';
import { type Documents, definitionKey, schemaAt } from './documents.ts';
import { maxCreatedItems } from './generator.ts';
import { pathTo } from './paths.ts';
import { numberRange } from './scalars/numbers.ts';
import { countBounds, membersOf, structureOf } from './schema/merge.ts';

/** One option of an aspect, with its name and a test of values. */
interface Option {
  readonly aspect: Aspect;
  readonly option: number;
  readonly label: string;
  readonly test: (value: Json) => boolean;
}

/** Maximum number of goals of one resource. */
const maxGoals = 20_000;

/** Decides whether samples reach a goal. No sample has a member without its goal `present`. */
export type IsRequested = (member: string, label: string) => boolean;

/** Returns all requested goals of the members of an object schema, except those in `without`, at the root. */
export function goalsOf(
  documents: Documents,
  without: ReadonlySet<string>,
  isRequested: IsRequested = () => true,
): readonly Goal[] {
  const goals: Goal[] = [];
  visitNode(documents.root, { place: '', member: definitionKey(documents.name) }, [documents.name]);
  return goals;

  function add(goal: Goal): void {
    if (isRequested(goal.member, goal.label)) goals.push(goal);
  }

  function visitNode(node: JsonObject, at: Spot, within: readonly string[]): void {
    const ref = text(node, '$ref');
    if (goals.length >= maxGoals || (ref !== '' && (within.includes(ref) || isLeaf(ref)))) return;
    const inside = ref === '' ? within : [...within, ref];
    const flat = structureOf(node, documents);
    for (const { aspect, option, label } of optionsOf(flat)) add({ ...at, aspect, option, label });
    const base = sharedLimits.has(definitionKey(ref)) ? definitionKey(ref) : at.member;
    const { properties, required } = membersOf(flat);
    for (const [name, property] of properties) {
      if (at.place === '' && without.has(name)) continue;
      const place = pathTo(at.place, name);
      const below: Spot = { place, member: `${base}.${name}` };
      if (!required.has(name)) {
        add({ ...below, aspect: 'presence', option: 0, label: 'absent' });
        add({ ...below, aspect: 'presence', option: 1, label: 'present' });
      }
      if (isRequested(below.member, 'present')) visitNode(property, below, inside);
    }
    const items = schemaAt(flat, 'items');
    if (items !== undefined) visitNode(items, { place: `${at.place}[]`, member: `${at.member}[]` }, inside);
    const values = schemaAt(flat, 'additionalProperties');
    if (values !== undefined && properties.length === 0)
      visitNode(values, { place: `${at.place}{}`, member: `${at.member}{}` }, inside);
  }
}

/** Place of a goal, and the member of a definition there. */
type Spot = Pick<Goal, 'place' | 'member'>;

/** Calls `reach` for each goal that an object reaches. */
export function reachedGoals(
  object: JsonObject,
  documents: Documents,
  reach: (place: string, aspect: Aspect, option: number) => void,
): void {
  visitValue(object, documents.root, '');

  function visitValue(value: Json, node: JsonObject, place: string): void {
    const flat = structureOf(node, documents);
    for (const { aspect, option, test } of optionsOf(flat)) if (test(value)) reach(place, aspect, option);
    if (isArray(value)) {
      const items = schemaAt(flat, 'items');
      if (items !== undefined) for (const item of value) visitValue(item, items, `${place}[]`);
    }
    if (isObject(value)) visitMembers(value, flat, place);
  }

  function visitMembers(value: JsonObject, flat: JsonObject, place: string): void {
    const { properties } = membersOf(flat);
    for (const [name, property] of properties) {
      const path = pathTo(place, name);
      const item = own(value, name);
      reach(path, 'presence', item === undefined ? 0 : 1);
      if (item !== undefined) visitValue(item, property, path);
    }
    const values = schemaAt(flat, 'additionalProperties');
    if (values === undefined || properties.length > 0) return;
    for (const item of Object.values(value)) visitValue(item, values, `${place}{}`);
  }
}

const cached = new WeakMap<JsonObject, readonly Option[]>();

function optionsOf(flat: JsonObject): readonly Option[] {
  const known = cached.get(flat);
  if (known !== undefined) return known;
  const options = [...valueOptions(flat), ...branchOptions(flat, 'anyOf'), ...branchOptions(flat, 'oneOf')];
  cached.set(flat, options);
  return options;
}

function valueOptions(flat: JsonObject): readonly Option[] {
  const members = array(flat, 'enum');
  // API servers do not accept null for an enum, even if it is a member.
  if (members.length > 0) {
    return members.flatMap((member, index) =>
      member === null
        ? []
        : [optionOf('enum', index, JSON.stringify(member), (value) => equal(value, member))],
    );
  }
  const nulls =
    own(flat, 'nullable') === true ? [optionOf('null', 0, 'null', (value) => value === null)] : [];
  if (own(flat, 'x-kubernetes-int-or-string') === true) {
    return [
      ...nulls,
      optionOf('form', 0, 'integer', (value) => typeof value === 'number'),
      optionOf('form', 1, 'string', (value) => typeof value === 'string'),
    ];
  }
  return [...nulls, ...typeOptions(flat)];
}

function typeOptions(flat: JsonObject): readonly Option[] {
  switch (text(flat, 'type')) {
    case 'boolean':
      return [false, true].map((each, index) =>
        optionOf('boolean', index, `${each}`, (value) => value === each),
      );
    case 'integer':
    case 'number':
      return numberOptions(flat);
    case 'string': {
      if (text(flat, 'format') !== '') return [];
      return countOptions(flat, 'Length', 'length', (value) =>
        typeof value === 'string' ? [...value].length : undefined,
      );
    }
    case 'array':
      return countOptions(flat, 'Items', 'items', (value) => (isArray(value) ? value.length : undefined));
    case 'object':
      return [
        ...countOptions(flat, 'Properties', 'members', (value) =>
          isObject(value) ? Object.keys(value).length : undefined,
        ),
        ...entryOptions(flat),
      ];
    default:
      return [];
  }
}

/** A map without an entry shows nothing of the type of its values. */
function entryOptions(flat: JsonObject): readonly Option[] {
  const isMap =
    schemaAt(flat, 'additionalProperties') !== undefined && membersOf(flat).properties.length === 0;
  const { min, max } = countBounds(flat, 'Properties');
  if (!isMap || min > 0 || max < 1) return [];
  return [optionOf('members', 2, 'an entry', (value) => isObject(value) && Object.keys(value).length > 0)];
}

function numberOptions(flat: JsonObject): readonly Option[] {
  const { low, high } = numberRange(flat);
  const bounds: readonly (readonly [number, string])[] = [
    [low, 'minimum'],
    [high, 'maximum'],
  ];
  return bounds.flatMap(([bound, name], index) =>
    Number.isFinite(bound) ? [optionOf('number', index, `${name} ${bound}`, (value) => value === bound)] : [],
  );
}

/** Longest string that is a goal. */
const maxGoalLength = 1_024;

function countOptions(
  flat: JsonObject,
  what: 'Items' | 'Properties' | 'Length',
  aspect: Aspect,
  count: (value: Json) => number | undefined,
): readonly Option[] {
  const { min, max } = countBounds(flat, what);
  const largest = what === 'Length' ? maxGoalLength : maxCreatedItems;
  return [
    ...(min > 0 ? [optionOf(aspect, 0, `min${what} ${min}`, (value) => count(value) === min)] : []),
    ...(max <= largest ? [optionOf(aspect, 1, `max${what} ${max}`, (value) => count(value) === max)] : []),
  ];
}

/** Returns an option for each alternative, which a value has if the alternative accepts it. */
function branchOptions(flat: JsonObject, aspect: 'anyOf' | 'oneOf'): readonly Option[] {
  return array(flat, aspect)
    .filter(isObject)
    .map((branch, index) => {
      const schema = parseSchema(branch);
      const test = (value: Json): boolean => validateSchema(value, schema, undefined).length === 0;
      return optionOf(aspect, index, `${aspect}[${index}]`, test);
    });
}

function optionOf(aspect: Aspect, option: number, label: string, test: (value: Json) => boolean): Option {
  return { aspect, option, label, test };
}
