/** Operations of a server in its OpenAPI documents, read without kgen's own readers. */

/** JSON value whose members are inspected one by one. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One method of one path of a document. */
export interface Operation {
  /** `GET /api/v1/nodes/{name}`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** `x-kubernetes-action`; empty for paths that are not resources. */
  readonly action: string;
  /** Kind of the operation, such as `apps/v1/Deployment`; empty if the document does not contain it. */
  readonly kind: string;
  /** Names of query parameters, including those declared on the path. */
  readonly query: ReadonlySet<string>;
  /** Media types of bodies. */
  readonly consumes: ReadonlySet<string>;
  /** Kinds of the schema of the body; empty if it has none, or if the operation has no body. */
  readonly bodyKinds: ReadonlySet<string>;
}

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** Returns the members of an object, and none for other values. */
export function membersOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {};
}

/** Returns the items of a list, and none for other values. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the operations of all documents by `id`. The documents may be of OpenAPI v2 and v3. */
export function operationsOf(documents: readonly Json[]): ReadonlyMap<string, Operation> {
  const all = documents.flatMap((document) => operationsIn(document));
  return new Map(all.map((operation) => [operation.id, operation]));
}

function operationsIn(document: Json): readonly Operation[] {
  return Object.entries(membersOf(membersOf(document)['paths'])).flatMap(([path, item]) =>
    Object.entries(membersOf(item))
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => operationOf(document, { path, item, method, operation })),
  );
}

interface Found {
  readonly path: string;
  readonly item: Json;
  readonly method: string;
  readonly operation: Json;
}

function operationOf(document: Json, { path, item, method, operation }: Found): Operation {
  const members = membersOf(operation);
  const parameters = [membersOf(item)['parameters'], members['parameters']]
    .flatMap(itemsOf)
    .map((parameter) => resolved(document, parameter));
  const inside = (place: string) => parameters.filter((parameter) => textOf(parameter['in']) === place);
  const body = bodyOf(document, members, inside('body')[0]);
  return {
    id: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    action: textOf(members['x-kubernetes-action']),
    kind: kindOf(members['x-kubernetes-group-version-kind']),
    query: new Set(inside('query').map(({ name }) => textOf(name))),
    ...body,
  };
}

/** Returns the schema of the body: a parameter in v2, `requestBody` in v3. */
function bodyOf(
  document: Json,
  operation: { readonly [key: string]: Json },
  parameter: { readonly [key: string]: Json } | undefined,
): Pick<Operation, 'consumes' | 'bodyKinds'> {
  const content = membersOf(resolved(document, operation['requestBody'] ?? {})['content']);
  const schemas = Object.values(content).map((media) => membersOf(media)['schema']);
  const own = operation['consumes'] ?? membersOf(document)['consumes'];
  const types = parameter === undefined ? Object.keys(content) : itemsOf(own).map(textOf);
  const kinds = [parameter?.['schema'], ...schemas].flatMap((schema) =>
    itemsOf(resolved(document, schema ?? {})['x-kubernetes-group-version-kind']).map(kindOf),
  );
  return { consumes: new Set(types), bodyKinds: new Set(kinds) };
}

/** Resolves a `$ref`, also one in an `allOf` with a single member. */
function resolved(document: Json, value: Json): { readonly [key: string]: Json } {
  const members = membersOf(value);
  const reference = members['$ref'] ?? membersOf(itemsOf(members['allOf'])[0])['$ref'];
  if (typeof reference !== 'string') return members;
  const keys = reference.replace(/^#\//, '').split('/');
  const unescaped = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return membersOf(unescaped.reduce<Json>((at, key) => membersOf(at)[key] ?? {}, document));
}

function kindOf(value: Json | undefined): string {
  const { group, version, kind } = membersOf(value);
  return textOf(kind) === '' ? '' : kindText(textOf(group), textOf(version), textOf(kind));
}

/** `v1/Pod`, `apps/v1/Deployment`. */
export function kindText(group: string, version: string, kind: string): string {
  return [...(group === '' ? [] : [group]), version, kind].join('/');
}
