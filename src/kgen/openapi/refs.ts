import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';

const homes: readonly string[] = ['#/definitions/', '#/components/schemas/'];

/** Full name of the definition that a reference leads to; undefined for a reference to anything else. */
export function definitionName(ref: string): string | undefined {
  const home = homes.find((prefix) => ref.startsWith(prefix));
  const step = home === undefined ? undefined : ref.slice(home.length);
  return step === undefined || step === '' || step.includes('/') ? undefined : unescaped(step);
}

/** The value that `#/…` leads to in its document; anything but such a reference stands for itself. */
export function resolved(document: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  const ref = isObject(value) ? value['$ref'] : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return value;
  let found: JsonValue | undefined = document;
  for (const step of ref.slice(2).split('/').map(unescaped)) {
    found = isObject(found) && step !== undefined ? own(found, step) : undefined;
  }
  return found;
}

/** What a node refers to, through `$ref` or through `allOf` around a single one; undefined where it does neither. */
export function referenceOf(value: JsonValue | undefined): string | undefined {
  const node = isObject(value) ? unwrapped(value) : undefined;
  const ref = node?.['$ref'];
  return typeof ref === 'string' ? definitionName(ref) : undefined;
}

/** Wrappers inside each other that are taken apart; servers write one. */
const maxWrappers = 10;

/** Keywords beside which a reference is a part of the type, not all of it. */
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

/** A node without `allOf` around a single reference: the reference stands in it, beside what stood beside `allOf`. */
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

/** A step of a reference as it is meant: `%7E` and `~1` are written out. */
function unescaped(step: string): string | undefined {
  if (!step.includes('%') && !step.includes('~')) return step;
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined; // broken escapes: a reference to nothing, which is told
  }
}
