/** References between definitions. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject, own } from '../../input/json.ts';

const homes: readonly string[] = ['#/definitions/', '#/components/schemas/'];

/**
 * Returns the full name of the definition that a reference points to, or `undefined` for other references.
 */
export function definitionName(ref: string): string | undefined {
  const home = homes.find((prefix) => ref.startsWith(prefix));
  const step = home === undefined ? undefined : ref.slice(home.length);
  return step === undefined || step === '' || step.includes('/') ? undefined : unescaped(step);
}

/** Returns the value that `#/…` points to in its document. Any other value is returned unchanged. */
export function resolved(document: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  const ref = isObject(value) ? value['$ref'] : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return value;
  let found: JsonValue | undefined = document;
  for (const step of ref.slice(2).split('/').map(unescaped)) {
    found = isObject(found) && step !== undefined ? own(found, step) : undefined;
  }
  return found;
}

/**
 * Returns the reference of a node, through `$ref` or through `allOf` with a single member; otherwise
 * `undefined`.
 */
export function referenceOf(value: JsonValue | undefined): string | undefined {
  const node = isObject(value) ? unwrapped(value) : undefined;
  const ref = node?.['$ref'];
  return typeof ref === 'string' ? definitionName(ref) : undefined;
}

/** Maximum number of nested wrappers that are removed. Servers write one. */
const maxWrappers = 10;

/** Keywords that make a reference beside them a part of the type rather than the whole type. */
const structure = [
  '$ref',
  'properties',
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'not',
  'enum',
] as const;

/**
 * Returns a node without `allOf` around a single reference: the reference is merged with the siblings of
 * `allOf`.
 */
export function unwrapped(node: JsonObject): JsonObject {
  let found = node;
  for (let level = 0; level < maxWrappers; level += 1) {
    const inner = wrapped(found);
    if (inner === undefined) break;
    const { allOf: _wrapper, ...siblings } = found;
    found = { ...inner, ...siblings };
  }
  return typeof found['$ref'] === 'string' ? found : node;
}

function wrapped(node: JsonObject): JsonObject | undefined {
  const members = node['allOf'];
  if (!isList(members) || members.length !== 1 || structure.some((key) => node[key] !== undefined))
    return undefined;
  const [member] = members;
  return isObject(member) ? member : undefined;
}

/** Decodes `%7E` and `~1` in a step of a reference. */
function unescaped(step: string): string | undefined {
  if (!step.includes('%') && !step.includes('~')) return step;
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined; // An invalid escape is a dangling reference, which is reported.
  }
}
