/**
 * Strict decoding: unknown and duplicate fields of a body, in the order and with the texts of a real server.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
 */
import { isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { duplicateYamlKeys } from '@kgen/schema/values/yaml-keys';
import type { Context } from '../call/context.ts';
import type { WriteOptions } from '../call/options.ts';
import type { ApiRequest } from '../request/request.ts';
import type { ResourceType } from '../resources/type.ts';
import { isJsonBody } from './decode.ts';

/** Findings of strict decoding. */
export interface Findings {
  /** Keys that a document of YAML has twice. */
  readonly yaml: readonly string[];
  readonly fields: readonly string[];
}

/**
 * Returns the findings in a body that was decoded as an object.
 * @param value the parsed body
 * @param unknown paths of its unknown fields
 */
export function findingsOf(
  request: ApiRequest,
  value: JsonObject,
  unknown: readonly string[],
  { strategy }: Pick<ResourceType, 'strategy'>,
): Findings {
  if (request.object !== undefined) return { yaml: [], fields: unknownFields(unknown) };
  // YAML becomes JSON with sorted members first.
  if (!isJsonBody(request))
    return { yaml: duplicateYamlKeys(request.body), fields: unknownFields(unknown.toSorted()) };
  const duplicates = duplicateFields(request.body, value);
  const fields =
    strategy === 'custom' || duplicates.length === 0
      ? [...duplicateMessages(duplicates), ...unknownFields(unknown)]
      : inOrder(request.body, new Set(unknown));
  return { yaml: [], fields };
}

/** Built-in types are decoded once, which finds unknown and duplicate fields in the order of the body. */
function inOrder(body: string, unknown: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const { path, isDuplicate } of keysOf(body)) {
    if (unknown.has(path)) found.add(unknownField(path));
    else if (isDuplicate && ![...unknown].some((parent) => isBelow(path, parent)))
      found.add(duplicateField(path));
  }
  return [...found];
}

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}

/** Returns the duplicate fields of a patch, and the unknown members of its operations. */
export function findingsInPatch(body: string, patch: Json): readonly string[] {
  if (!isArray(patch)) return duplicateMessages(isObject(patch) ? duplicateFields(body, patch) : []);
  const unknown = patch.flatMap((operation, index) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((key) => !operationMembers.has(key))
      .map((key) => `[${index}].${key}`),
  );
  return inOrder(body, new Set(unknown)).map((message) => `json patch ${message}`);
}

const operationMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

function duplicateMessages(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].map(duplicateField);
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

/** Returns unknown fields in the notation of strict decoding. */
export function unknownFields(paths: readonly string[]): readonly string[] {
  return paths.map(unknownField);
}

/** Warns about or rejects findings of strict decoding, as `fieldValidation` requests. */
export function reportStrict(
  context: Context,
  { yaml, fields }: Findings,
  options: WriteOptions,
  refuse: (message: string) => Error,
): void {
  if (yaml.length + fields.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') {
    const messages = [...(yaml.length === 0 ? [] : [yamlErrors(yaml)]), ...fields];
    throw refuse(`strict decoding error: ${messages.join(', ')}`);
  }
  for (const message of [...yaml, ...fields]) context.warnings.add(message);
}

/** Returns the error of the parser of YAML. */
export function yamlErrors(lines: readonly string[]): string {
  return `yaml: unmarshal errors:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Matches strings, brackets, colons and commas of JSON; other tokens do not affect the nesting of keys. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** An open object or array with its current key or index, and the keys so far. */
interface Level {
  readonly keys: Set<string> | undefined;
  step: string;
}

/** Colons behind a quotation mark: at least those of all keys, and perhaps others within strings. */
const colons = /"\s*:/g;

/**
 * Returns the paths of duplicate keys in JSON, which JSON.parse does not report.
 * @param value the parsed body, which makes the search faster
 */
export function duplicateFields(body: string, value?: JsonObject): readonly string[] {
  if (body === '') return [];
  if (value !== undefined && (body.match(colons)?.length ?? 0) === keysIn(value)) return [];
  return [...keysOf(body)].flatMap(({ path, isDuplicate }) => (isDuplicate ? [path] : []));
}

/** Returns the paths of all keys in JSON, in their order. */
function* keysOf(body: string): Generator<{ readonly path: string; readonly isDuplicate: boolean }> {
  const levels: Level[] = [];
  let last = '';
  for (const [token] of body.matchAll(tokens)) {
    const top = levels.at(-1);
    if (token === '{') levels.push({ keys: new Set(), step: '' });
    else if (token === '[') levels.push({ keys: undefined, step: '[0]' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && top?.keys !== undefined) {
      // The token before a colon is a key in JSON notation.
      top.step = JSON.parse(last) as string;
      yield { path: pathOf(levels), isDuplicate: top.keys.has(top.step) };
      top.keys.add(top.step);
    } else if (token === ',' && top !== undefined && top.keys === undefined) top.step = nextIndex(top.step);
    last = token;
  }
}

/** Returns the number of keys of objects at all levels. */
function keysIn(value: Json): number {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + keysIn(item), 0);
  if (!isObject(value)) return 0;
  let count = 0;
  for (const key of Object.keys(value)) count += 1 + keysIn(value[key] ?? null);
  return count;
}

function nextIndex(step: string): string {
  return `[${Number(step.slice(1, -1)) + 1}]`;
}

function pathOf(levels: readonly Level[]): string {
  const path = levels.map(({ keys, step }) => (keys === undefined ? step : `.${step}`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
}
