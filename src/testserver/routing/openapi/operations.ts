/** Operations of one path in OpenAPI v3, as the API server publishes them. */
import { fromEntries, type JsonObject } from '@kgen/schema/values/json';

/** A group, version and kind. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One operation before its common parameters are moved to the path. */
export interface Operation {
  readonly method: string;
  readonly id: string;
  readonly tag: string;
  readonly action: string | undefined;
  readonly of: GroupVersionKind | undefined;
  /** Names of query parameters, which `parameterTypes` describes. */
  readonly query: readonly string[];
  readonly body?: { readonly schema: string; readonly types: readonly string[]; readonly required: boolean };
  /** Status codes of success. */
  readonly codes: readonly number[];
  readonly types: readonly string[];
  /** Full name of the definition of the response; `undefined` for a string. */
  readonly response: string | undefined;
}

export const responseTypes: readonly string[] = [
  'application/json',
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
];
export const listTypes: readonly string[] = [
  'application/json',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/yaml',
];

export const writeQuery: readonly string[] = ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'];
export const patchQuery: readonly string[] = [...writeQuery, 'force'];
export const listQuery: readonly string[] = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'pretty',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];
export const deleteQuery: readonly string[] = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
];
export const deleteCollectionQuery: readonly string[] = [
  ...deleteQuery,
  ...listQuery.filter((name) => !['allowWatchBookmarks', 'pretty', 'watch'].includes(name)),
];

const booleans = [
  'allowWatchBookmarks',
  'follow',
  'force',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'insecureSkipTLSVerifyBackend',
  'orphanDependents',
  'previous',
  'sendInitialEvents',
  'stderr',
  'stdin',
  'stdout',
  'timestamps',
  'tty',
  'watch',
];
const integers = [
  'gracePeriodSeconds',
  'limit',
  'limitBytes',
  'ports',
  'sinceSeconds',
  'tailLines',
  'timeoutSeconds',
];

/** Returns the item of a path: its operations, and the parameters that all of them share. */
export function pathItem(path: string, operations: readonly Operation[]): JsonObject {
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const [first, ...others] = operations.map(({ query }) => query);
  const common = (first ?? []).filter((name) => others.every((query) => query.includes(name)));
  // A name may be both: the path of a proxy.
  const shared = [
    ...pathNames.map((name) => parameter(name, true)),
    ...common.map((name) => parameter(name, false)),
  ].sort((a, b) => compareNames(a, b));
  return {
    ...fromEntries(operations.map((operation) => [operation.method, operationItem(operation, common)])),
    ...(shared.length === 0 ? {} : { parameters: shared }),
  };
}

function parameter(name: string, isPath: boolean): JsonObject {
  return {
    name,
    in: isPath ? 'path' : 'query',
    ...(isPath ? { required: true } : {}),
    schema: { type: typeOf(isPath ? '' : name), uniqueItems: true },
  };
}

function typeOf(name: string): string {
  if (booleans.includes(name)) return 'boolean';
  return integers.includes(name) ? 'integer' : 'string';
}

function compareNames(a: JsonObject, b: JsonObject): number {
  const [x, y] = [String(a['name']), String(b['name'])];
  return x < y ? -1 : x > y ? 1 : 0;
}

function operationItem(operation: Operation, common: readonly string[]): JsonObject {
  const own = operation.query.filter((name) => !common.includes(name)).toSorted();
  const { body } = operation;
  return {
    tags: [operation.tag],
    operationId: operation.id,
    ...(own.length === 0 ? {} : { parameters: own.map((name) => parameter(name, false)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(body.types, reference(body.schema)),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: {
      ...fromEntries(operation.codes.map((code) => [String(code), responseItem(operation, code)])),
      401: { description: 'Unauthorized' },
    },
    ...(operation.action === undefined ? {} : { 'x-kubernetes-action': operation.action }),
    ...(operation.of === undefined ? {} : { 'x-kubernetes-group-version-kind': { ...operation.of } }),
  };
}

const descriptions: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function responseItem({ types, response }: Operation, code: number): JsonObject {
  const schema = response === undefined ? { type: 'string' } : reference(response);
  return { description: descriptions[code] ?? '', content: content(types, schema) };
}

function content(types: readonly string[], schema: JsonObject): JsonObject {
  return fromEntries(types.map((type) => [type, { schema }]));
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
