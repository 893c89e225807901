/** An operation in its document, with functions for common members. */
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isObject, own } from '../input/json.ts';
import type { Known } from './schema.ts';

/** Options of reading a document. */
export interface ReadOptions {
  readonly known: Known;
  /** Whether descriptions are kept. */
  readonly descriptions: boolean;
}

/** Position of an operation. */
export interface Spot {
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  readonly document: JsonObject;
}

/** Returns a parameter, a body or a response, resolving a reference to the document's components. */
export function component(value: JsonValue | undefined, document: JsonObject): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const $ref = own(value, '$ref');
  if (typeof $ref !== 'string') return value;
  const [, folder, name] = /^#\/components\/(parameters|requestBodies|responses)\/(.*)$/.exec($ref) ?? [];
  const components = own(document, 'components');
  const shared = isObject(components) && folder !== undefined ? own(components, folder) : undefined;
  const target = isObject(shared) && name !== undefined ? own(shared, name) : undefined;
  return isObject(target) ? target : undefined;
}

/** Returns the description, unless descriptions are disabled. */
export function described(
  node: JsonObject,
  { descriptions }: Pick<ReadOptions, 'descriptions'>,
): { readonly description?: string } {
  const description = own(node, 'description');
  return descriptions && typeof description === 'string' ? { description: docText(description) } : {};
}

/** Escapes tags and removes invisible characters. */
function docText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(^|[\s{])@(?=\S)/g, '$1\\@');
}
