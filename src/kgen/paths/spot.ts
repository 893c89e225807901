/** An operation in its document, and what is read everywhere in it. */
import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import type { Known } from './schema.ts';

/** What decides how a document is read. */
export interface ReadOptions {
  readonly known: Known;
  /** Whether descriptions are kept. */
  readonly descriptions: boolean;
}

/** An operation where it stands. */
export interface Spot {
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  readonly document: JsonObject;
}

/** A parameter, a body or an answer, by itself or by reference to the document's components. */
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

/** The description, unless descriptions are left out. */
export function described(
  node: JsonObject,
  { descriptions }: Pick<ReadOptions, 'descriptions'>,
): { readonly description?: string } {
  const description = own(node, 'description');
  return descriptions && typeof description === 'string' ? { description: docText(description) } : {};
}

/** Nothing in a comment starts a tag, and nothing is in it that nobody sees. */
function docText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(^|[\s{])@(?=\S)/g, '$1\\@');
}

/** All values of a list, none where it is no list. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}
