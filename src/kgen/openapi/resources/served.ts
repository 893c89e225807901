/** Resources according to the paths of documents, which also contain parameters. */
import { apiVersionOf, isGroup, isLabel } from '../../common/names.ts';
import { type InputProblem, quoteAll, warning } from '../../common/problems.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { isObject } from '../../input/json.ts';
import { referenceOf } from '../documents/refs.ts';
import type { ApiDocument, ApiVerb, GroupVersionKind } from '../types.ts';
import { consumedBy, type Operation, operationsOf, responseOf, sentBy } from './operations.ts';

/** Data of a group version from its paths. */
export interface PathGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly documents: Set<ApiDocument>;
  readonly resources: Map<string, PathResource>;
}

/** Data of a resource from its paths. */
export interface PathResource {
  readonly plural: string;
  kind?: GroupVersionKind;
  namespaced: boolean;
  readonly verbs: Set<ApiVerb>;
  /** Media types of patches; `undefined` if there is no PATCH operation. */
  patch?: 'strategic' | 'plain';
  /** The document that contains the operations on single objects. */
  document?: ApiDocument;
  /** Definition of the object that is read or written. */
  definition?: string | undefined;
  listDefinition?: string | undefined;
  readonly subresources: Map<string, PathSubresource>;
}

/** Data of a subresource from its paths. */
export interface PathSubresource {
  readonly name: string;
  readonly operations: Operation[];
}

const verbs: ReadonlyMap<string, ApiVerb> = new Map([
  ['post', 'create'],
  ['get', 'get'],
  ['list', 'list'],
  ['put', 'update'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['deletecollection', 'deletecollection'],
] as const);

/** Returns the verb of an action on objects, or `undefined` for `connect` and unknown actions. */
export function verbOf(action: string): ApiVerb | undefined {
  return verbs.get(action);
}

/**
 * Returns the data of the paths of all documents, by `apps/v1`. Lists of one namespace and of all namespaces
 * are merged. Only the deprecated path below `/watch/` shows that a resource supports watch, because every
 * list has the parameter `watch`, even if servers reject it.
 */
export function readPaths(
  documents: readonly ApiDocument[],
  problems: InputProblem[],
): ReadonlyMap<string, PathGroupVersion> {
  const found = new Map<string, PathGroupVersion>();
  for (const document of documents) {
    const unfit = new Set<string>();
    for (const operation of operationsOf(document)) {
      const { group, version, plural, subresource } = operation.path;
      const isFit = isGroup(group) && (subresource === undefined || isLabel(subresource));
      if (isFit && isLabel(version) && isLabel(plural)) take(operation, found);
      else unfit.add([group, version, plural, subresource].filter((step) => step !== undefined).join('/'));
    }
    if (unfit.size === 0) continue;
    const what = `paths with names that cannot be used in code are left out: ${quoteAll([...unfit])}`;
    problems.push(warning(what, { file: document.file }));
  }
  return found;
}

function take(operation: Operation, into: Map<string, PathGroupVersion>): void {
  const { group, version, plural, namespaced, watch, subresource } = operation.path;
  const key = apiVersionOf({ group, version });
  const own = into.get(key) ?? { group, version, documents: new Set(), resources: new Map() };
  into.set(key, own);
  own.documents.add(operation.document);
  const resource = own.resources.get(plural) ?? newResource(plural);
  own.resources.set(plural, resource);
  resource.namespaced ||= namespaced;
  if (watch) takeWatch(operation, resource);
  else if (subresource === undefined) takeResource(operation, resource);
  else takeSubresource(operation, subresource, resource);
}

function newResource(plural: string): PathResource {
  return { plural, namespaced: false, verbs: new Set(), subresources: new Map() };
}

function takeWatch({ action }: Operation, resource: PathResource): void {
  if (action === 'watchlist') resource.verbs.add('watch');
}

function takeResource(operation: Operation, resource: PathResource): void {
  const { action, kind, document } = operation;
  const verb = verbOf(action);
  if (verb === undefined) return;
  resource.verbs.add(verb);
  if (kind !== undefined) resource.kind ??= kind;
  resource.document ??= document;
  if (verb === 'patch') resource.patch = isStrategic(consumedBy(operation)) ? 'strategic' : 'plain';
  if (verb === 'list') resource.listDefinition ??= referenceOf(responseOf(operation));
  else if (objectVerbs.has(verb)) resource.definition ??= referenceOf(responseOf(operation));
}

/** Verbs whose response is the object. The response of `delete` may be a Status instead. */
const objectVerbs: ReadonlySet<ApiVerb> = new Set<ApiVerb>(['get', 'create', 'update']);

function isStrategic(types: readonly JsonValue[]): boolean {
  return types.includes('application/strategic-merge-patch+json');
}

function takeSubresource(operation: Operation, name: string, resource: PathResource): void {
  const known = resource.subresources.get(name) ?? { name, operations: [] };
  resource.subresources.set(name, known);
  known.operations.push(operation);
}

/** Returns whether the response of reading is a string. */
export function isText(operations: readonly Operation[]): boolean {
  return operations.some((operation) => {
    const response = operation.action === 'get' ? responseOf(operation) : undefined;
    return isObject(response) && response['type'] === 'string';
  });
}

/** Returns the definitions of request and response of a subresource, as named by its operations. */
export function bodiesOf(operations: readonly Operation[]): {
  readonly sent: string | undefined;
  readonly responded: string | undefined;
} {
  const writes = operations.filter(({ action }) => action === 'put' || action === 'post');
  const others = operations.filter(({ action }) => action !== 'delete' && action !== 'deletecollection');
  const responses = [...writes, ...others].map((operation) => referenceOf(responseOf(operation)));
  return { sent: writes.map(sentBy).find(isName), responded: responses.find(isName) };
}

function isName(name: string | undefined): name is string {
  return name !== undefined;
}
