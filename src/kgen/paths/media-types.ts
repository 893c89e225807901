/** Selects the media types of a body that are typed: JSON, patches, and plain text if there is no other. */

import { byText } from '../common/words.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import { anything, type Content, type PathSchema } from './openapi.ts';
import { type Known, readSchema } from './schema.ts';

const json = 'application/json';
const text = 'text/plain';
/** Wildcard in documents. Bodies are JSON or plain text in this case. */
const any = '*/*';

const patches: ReadonlySet<string> = new Set([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]);

const mediaType = /^[a-z0-9][\w.+-]*\/[\w.+-]+$/i;

/** Returns the media types of a request body. */
export function requestContent(content: JsonValue | undefined, known: Known): Content | undefined {
  const schemas = schemasOf(content, known);
  const kept = new Map<string, PathSchema>();
  for (const [name, schema] of schemas) {
    if (patches.has(name)) kept.set(name, schema);
    if (name === json || (name === any && !schemas.has(json))) kept.set(json, schema);
  }
  return contentOf(kept.size > 0 ? kept : last(schemas));
}

/** Returns the media types of a response. */
export function responseContent(content: JsonValue | undefined, known: Known): Content | undefined {
  const schemas = schemasOf(content, known);
  const plain = schemas.get(text) ?? schemas.get(any);
  // Documents list a log as a string in JSON and YAML too, which no server sends.
  if (plain !== undefined && isString(plain)) return contentOf(new Map([[text, plain]]));
  const schema = schemas.get(json) ?? schemas.get(any);
  if (schema === undefined) return contentOf(last(schemas));
  // JSON with the type string stands for an undocumented structure.
  return contentOf(new Map([[json, isString(schema) ? anything : schema]]));
}

function schemasOf(content: JsonValue | undefined, known: Known): ReadonlyMap<string, PathSchema> {
  const named = isObject(content) ? Object.entries(content) : [];
  return new Map(
    named
      .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      .filter(([name]) => name === any || mediaType.test(name))
      .map(([name, media]) => [name, readSchema(own(media, 'schema'), known)]),
  );
}

/** Returns the media type that is used if there is neither JSON nor a patch: plain text is preferred. */
function last(schemas: ReadonlyMap<string, PathSchema>): ReadonlyMap<string, PathSchema> {
  const [first] = [...schemas.keys()].filter((name) => name !== any).sort(byText);
  const name = schemas.has(text) ? text : first;
  const schema = name === undefined ? undefined : schemas.get(name);
  return name === undefined || schema === undefined ? new Map() : new Map([[name, schema]]);
}

function contentOf(schemas: ReadonlyMap<string, PathSchema>): Content | undefined {
  if (schemas.size === 0) return undefined;
  const sorted = [...schemas].sort(([a], [b]) => byText(a, b));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, { schema }]));
}

function isString(schema: PathSchema): boolean {
  return 'type' in schema && schema.type === 'string';
}
