/** Warnings about schemas that API servers refuse. */

import type { JsonPath, Objection } from '@kgen/schema/rules/places';
import { schemaViolations } from '@kgen/schema/validation/definition';
import { type HelpfulBounds, helpfulBounds } from '@kgen/schema/validation/helpful-bounds';
import type { InvalidDefault } from '@kgen/schema/validation/invalid-defaults';
import { isUsable } from '@kgen/schema/validation/rules/declarations';
import { own } from '@kgen/schema/values/json';
import { quote, quoteAll } from '../../common/problems.ts';
import { describe, isObject } from '../json.ts';
import type { Checker } from './checker.ts';
import type { CrdVersion } from './crd.ts';
import type { JsonObject, JsonValue } from './crd-input.ts';

/**
 * Adds a warning for each rule of API servers that the schema of a version violates.
 * @param tag precedes the names of keywords, as those of tags
 */
export function checkRules(
  check: Checker,
  { schema, schemaPath, subresources }: CrdVersion,
  tag: '' | '@',
): void {
  if (schema === undefined || !isBounded(schema)) return;
  const found = schemaViolations(schema, subresources.status, {
    objection: (each) => (isObject(each.value) ? { ...each, value: own(each.value, 'Rule') ?? null } : each),
    invalidDefault: objectionsTo,
    fieldOf: () => 'default',
    coerce: (metadata) => ({ metadata, unknown: [] }),
  });
  for (const objection of found) {
    const { keys } = objection.mapKey ?? objection;
    const bounds = helpfulBounds(schema, objection);
    const what =
      bounds === undefined
        ? `${sentence(objection)}${unknownValues(schema, objection, tag)}`
        : `${sentence(objection).replace(/ \(try [^)]*\)$/, '')}: ${boundsText(bounds, tag)}`;
    check.warning({ path: [...schemaPath, ...keys], value: objection.value }, what);
  }
}

/** Returns the reason why a rule cannot mention a field that exists, or be that of its schema. */
function unknownValues(schema: JsonObject, { keys, detail }: Objection, tag: '' | '@'): string {
  const end = keys.indexOf('x-kubernetes-validations');
  const node = keys.slice(0, end).reduce<JsonValue | undefined>((at, key) => own(at, String(key)), schema);
  const [, name] = /^compilation failed: .*undefined field '([^']*)'/.exec(detail) ?? [];
  const isWhole = detail.includes('unable to convert structural schema');
  const found = name === undefined ? undefined : own(own(node, 'properties'), name);
  if (end < 0 || !(isWhole || (isObject(found) && !isUsable(found)))) return '';
  const advice = tag === '@' ? 'use JsonObject in place of unknown' : 'add types';
  return `. Rules cannot use ${isWhole ? 'these values' : quote(name ?? '')}, which may have any type: ${advice}`;
}

/** Returns the limits that would lower the cost of a rule: `add @maxItems 64 to spec.names`. */
function boundsText({ bounds, value }: HelpfulBounds, tag: string): string {
  const added = bounds.filter(({ present }) => present === undefined);
  const lowered = bounds.filter(({ present }) => present !== undefined);
  const texts = [
    ...added.map(({ keys, keyword }) => `${tag}${keyword} ${value} to ${subject(keys)}`),
    ...lowered.map(({ keys, keyword }) => `lower ${tag}${keyword} of ${subject(keys)} to ${value}`),
  ];
  return `${added.length > 0 ? 'add ' : ''}${texts.join(', and ')}`;
}

/** Returns the name of a schema: `spec.names`, `the items of spec.names`. */
function subject(keys: JsonPath): string {
  if (keys.length === 0) return 'the object';
  const last = String(keys.at(-1));
  if (keys.at(-2) !== 'properties')
    return `the ${last === 'items' ? 'items' : 'values'} of ${subject(keys.slice(0, -1))}`;
  if (keys.length === 2) return last;
  const above = subject(keys.slice(0, -2));
  return above.startsWith('the ') ? `${last} of ${above}` : `${above}.${last}`;
}

function objectionsTo({ place, value, errors }: InvalidDefault): readonly Objection[] {
  return errors.map(({ field, reason, detail = '' }) => {
    const rule = reason === 'FieldValueRequired' ? 'is required' : detail.replace(/^\S* in body /, '');
    const isWhole = field === 'default' || field === '<nil>';
    const text = isWhole ? rule : `${field.replaceAll('.[', '[')}: ${rule}`;
    return { keys: [...place.keys, 'default'], reason: 'invalid', value, detail: text };
  });
}

/** Maximum numbers of values and of levels of a schema that is checked: its parts may be shared. */
const [maxValues, maxDepth] = [200_000, 500];

function isBounded(schema: JsonObject): boolean {
  let left = maxValues;
  const open: (readonly [value: JsonValue, depth: number])[] = [[schema, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next;
    left -= 1;
    if (left < 0 || depth > maxDepth) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push([inner, depth + 1]);
  }
  return true;
}

function sentence({ keys, reason, value, supported = [], detail, place, mapKey }: Objection): string {
  if (mapKey !== undefined) return mapKeySentence(mapKey.name, reason === 'required');
  const name = String(keys.at(-1) ?? 'the schema');
  const [, problem = detail] = /^compilation failed: ERROR: <input>:\S+ (.*)/.exec(detail) ?? [];
  const rule = place === undefined ? problem : `${problem} ${place.join('.')}`;
  switch (reason) {
    case 'required':
      return `${name} is missing, and the API server rejects that: it ${rule}`;
    case 'forbidden':
      return `the API server rejects ${name} here: ${rule}`;
    case 'unsupported':
      return `${name} is ${describe(value)}, and the API server rejects that: use one of ${quoteAll(supported, 8)}`;
    case 'internal':
      return `the API server rejects ${name}: ${rule}`;
    case 'invalid':
      return `${name} is ${describe(value)}, and the API server rejects that: ${rule}`;
  }
}

function mapKeySentence(key: string, isProperty: boolean): string {
  const fault = isProperty ? 'is neither required nor has a default' : 'is not a property of the items';
  return `the key ${quote(key)} of x-kubernetes-list-map-keys ${fault}, and the API server rejects that: each key must be a property of the items that is required or has a default`;
}
