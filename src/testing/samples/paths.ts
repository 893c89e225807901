/** Concrete paths in objects: keys and indices from the root. */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  omit,
  own,
  replace,
  text,
} from '@kgen/schema/values/json';
import { sharedLimits } from './built-in/rules.ts';
import { type Documents, definitionKey, schemaAt } from './documents.ts';
import { membersOf, structureOf } from './schema/merge.ts';

/** Keys and indices from the root of an object. */
export type Path = readonly (string | number)[];

/** Returns the place of a member of an object at a place; `''` is the root. */
export function pathTo(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, step) => (typeof step === 'number' ? (isArray(at) ? at[step] : undefined) : own(at, step)),
    value,
  );
}

/** Returns a copy with another value at the path; `undefined` removes the member or item. */
export function withValue(value: Json, path: Path, item: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return item ?? value;
  if (typeof step === 'number') {
    if (!isArray(value)) return value;
    if (rest.length === 0 && item === undefined) return value.filter((_, index) => index !== step);
    const changed = rest.length === 0 ? item : withValue(value[step] ?? null, rest, item);
    return changed === undefined ? value : value.map((each, index) => (index === step ? changed : each));
  }
  if (!isObject(value)) return value;
  if (rest.length === 0) return item === undefined ? omit(value, step) : replace(value, step, item);
  const inner = own(value, step);
  return inner === undefined ? value : replace(value, step, withValue(inner, rest, item));
}

/** Returns the path of a field error, such as `spec.ports[0].name`, in an object; `[]` for `<nil>`. */
export function pathOfField(field: string, value: Json): Path {
  const path: (string | number)[] = [];
  let rest = field === '<nil>' ? '' : field.replace(/^\./, '');
  let at: Json | undefined = value;
  while (rest !== '') {
    const step = stepOf(rest, at);
    if (step === undefined) break;
    path.push(step.key);
    at = valueAt(at, [step.key]);
    rest = rest.slice(step.length).replace(/^\./, '');
  }
  return path;
}

/** Returns a path in the form of field errors: `spec.ports[0].name`. */
export function fieldOf(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function stepOf(
  field: string,
  at: Json | undefined,
): { readonly key: string | number; readonly length: number } | undefined {
  const bracket = /^\[([^\]]*)\]/.exec(field);
  if (bracket !== null) {
    const inside = bracket[1] ?? '';
    return { key: isArray(at) ? Number(inside) : inside, length: bracket[0].length };
  }
  // Names may contain dots: the longest existing one is meant.
  const names = isObject(at) ? Object.keys(at).filter((key) => continues(field, key)) : [];
  const known = names.sort((a, b) => b.length - a.length)[0];
  const name = known ?? /^[^.[]+/.exec(field)?.[0];
  return name === undefined || name === '' ? undefined : { key: name, length: name.length };
}

function continues(field: string, key: string): boolean {
  return key !== '' && field.startsWith(key) && /^(?:$|[.[])/.test(field.slice(key.length));
}

/** Returns the place of a path: `spec.ports[].name`. Keys of maps are `{}`. */
export function placeOf(path: Path, documents: Documents): string {
  let place = '';
  nodesAlong(path, documents, (step, isKey) => {
    place += typeof step === 'number' ? '[]' : isKey ? '{}' : place === '' ? step : `.${step}`;
  });
  return place;
}

/** Returns the schema at a path, without its reference and with its `allOf` resolved. */
export function nodeAt(path: Path, documents: Documents): JsonObject | undefined {
  return nodesAlong(path, documents, () => {});
}

/** Returns a path in the terms of limits: from the last definition whose limits hold at every place. */
export function memberOf(path: Path, documents: Documents): string {
  let member = definitionKey(documents.name);
  let node: JsonObject | undefined = documents.root;
  for (const step of path) {
    if (node === undefined) break;
    const key = definitionKey(text(node, '$ref'));
    if (sharedLimits.has(key)) member = key;
    const flat: JsonObject = structureOf(node, documents);
    const property = typeof step === 'string' ? propertyAt(flat, step) : undefined;
    member += typeof step === 'number' ? '[]' : property === undefined ? '{}' : `.${step}`;
    node = property ?? schemaAt(flat, typeof step === 'number' ? 'items' : 'additionalProperties');
  }
  return member;
}

/** Returns the full name of the definition at a path, or `undefined` for a value that has none. */
export function definitionAt(path: Path, documents: Documents): string | undefined {
  let node: JsonObject | undefined = documents.root;
  let name: string | undefined = documents.name;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = childOf(structureOf(node, documents), step);
    name = text(node, '$ref') || undefined;
  }
  return name;
}

function nodesAlong(
  path: Path,
  documents: Documents,
  visit: (step: string | number, isKey: boolean) => void,
): JsonObject | undefined {
  let node: JsonObject | undefined = structureOf(documents.root, documents);
  for (const step of path) {
    const property: JsonObject | undefined =
      typeof step === 'string' && node !== undefined ? propertyAt(node, step) : undefined;
    visit(step, typeof step === 'string' && property === undefined);
    if (node === undefined) continue;
    const next: JsonObject | undefined =
      property ?? schemaAt(node, typeof step === 'number' ? 'items' : 'additionalProperties');
    node = next === undefined ? undefined : structureOf(next, documents);
  }
  return node;
}

/** Returns the schema of a member; for other names that of the items or values. */
function childOf(node: JsonObject, step: string | number): JsonObject | undefined {
  const property = typeof step === 'string' ? propertyAt(node, step) : undefined;
  return property ?? schemaAt(node, typeof step === 'number' ? 'items' : 'additionalProperties');
}

function propertyAt(node: JsonObject, name: string): JsonObject | undefined {
  return schemaAt(own(node, 'properties') === undefined ? {} : (schemaAt(node, 'properties') ?? {}), name);
}

/** Calls `visit` for every value of an object with its path, parents first. */
export function walkValues(value: Json, visit: (path: Path, value: Json) => void, path: Path = []): void {
  visit(path, value);
  if (isArray(value)) for (const [index, item] of value.entries()) walkValues(item, visit, [...path, index]);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) walkValues(item, visit, [...path, key]);
}

/** Returns whether a member may be removed: the schema of its parent does not require it. */
export function isOptional(path: Path, documents: Documents): boolean {
  const last = path.at(-1);
  const parent = nodeAt(path.slice(0, -1), documents);
  return typeof last === 'number' || parent === undefined || !membersOf(parent).required.has(last ?? '');
}

/** Returns the type of a schema, or `''`. */
export function typeOf(node: JsonObject | undefined): string {
  return node === undefined ? '' : text(node, 'type');
}
