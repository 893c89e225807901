/** Operations on resources, by the extensions of Kubernetes. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isObject, listOf, own } from '../../input/json.ts';
import { referenceOf, resolved } from '../documents/refs.ts';
import type { ApiDocument, GroupVersionKind } from '../types.ts';
import { kindOf } from './kinds.ts';
import { parsePath, type ResourcePath } from './resource-path.ts';

/** One method at one path of a resource. */
export interface Operation {
  readonly path: ResourcePath;
  /** In upper case. */
  readonly method: string;
  /** `x-kubernetes-action`: `list`, `post`, `connect`, … */
  readonly action: string;
  /** The kind in the extension of the operation, if present. */
  readonly kind?: GroupVersionKind;
  readonly value: JsonObject;
  /** The path item that contains it. */
  readonly item: JsonObject;
  readonly document: ApiDocument;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** Returns the operations of a document that have an action, in document order. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  const paths = document.value['paths'];
  const found: Operation[] = [];
  if (!isObject(paths)) return found;
  for (const text of Object.keys(paths)) {
    const item = own(paths, text);
    const path = isObject(item) ? parsePath(text) : undefined;
    if (path !== undefined && isObject(item)) readItem({ path, item, document }, found);
  }
  return found;
}

function readItem(at: Pick<Operation, 'path' | 'item' | 'document'>, found: Operation[]): void {
  for (const method of methods) {
    const value = at.item[method];
    const action = isObject(value) ? value['x-kubernetes-action'] : undefined;
    if (!isObject(value) || typeof action !== 'string') continue;
    const kind = kindOf(value['x-kubernetes-group-version-kind']);
    const operation = { ...at, method: method.toUpperCase(), action, value };
    found.push(kind === undefined ? operation : { ...operation, kind });
  }
}

/** Returns the definition of the request body, or `undefined`. */
export function sentBy({ value, document }: Operation): string | undefined {
  if (document.dialect === 2) {
    const parameters = listOf(value['parameters']).map((parameter) => resolved(document.value, parameter));
    const body = parameters.find((parameter) => isObject(parameter) && parameter['in'] === 'body');
    return isObject(body) ? referenceOf(body['schema']) : undefined;
  }
  return referenceOf(schemaOf(resolved(document.value, value['requestBody'])));
}

/** Returns the schema of a successful response. */
export function responseOf({ value, document }: Operation): JsonValue | undefined {
  const responses = value['responses'];
  if (!isObject(responses)) return undefined;
  const response = resolved(document.value, responses['200'] ?? responses['201']);
  return document.dialect === 2 && isObject(response) ? response['schema'] : schemaOf(response);
}

/** Returns the media types of the request body. */
export function consumedBy({ value, document }: Operation): readonly JsonValue[] {
  if (document.dialect === 2) return listOf(value['consumes'] ?? document.value['consumes']);
  const body = resolved(document.value, value['requestBody']);
  const content = isObject(body) ? body['content'] : undefined;
  return isObject(content) ? Object.keys(content) : [];
}

/** Prefers JSON, because all media types have the same schema. */
function schemaOf(holder: JsonValue | undefined): JsonValue | undefined {
  const content = isObject(holder) ? holder['content'] : undefined;
  if (!isObject(content)) return undefined;
  const media = own(content, 'application/json') ?? Object.values(content)[0];
  return isObject(media) ? media['schema'] : undefined;
}
