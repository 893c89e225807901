/** OpenAPI documents of everything that the server serves. */
import { createHash } from 'node:crypto';
import {
  array,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  text,
} from '@kgen/schema/values/json';
import { definitionOf, loadGroupVersion } from '../../resources/builtin/schemas.ts';
import { definitions as crds } from '../../resources/builtin.ts';
import { servedTypes } from '../../resources/catalog.ts';
import type { ResourceType } from '../../resources/type.ts';
import type { Store } from '../../store/store.ts';
import { componentSchemas, customDefinitions, definitionName } from './components.ts';
import { type GroupVersionKind, type Operation, pathItem, responseTypes } from './operations.ts';
import { namesOf, resourcePaths } from './resource-paths.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const info: JsonObject = { title: 'Kubernetes', version: '1.36' };

/** A document that the server publishes below `/openapi/v3/`: a part of the API. */
export interface Part {
  readonly path: string;
  readonly types: readonly ResourceType[];
  readonly operation: Operation | undefined;
}

/** Responds to GET /openapi/v3: the paths of all documents. */
export function openApiIndex(store: Store): JsonObject {
  const parts = partsOf(store).map((part) => {
    const { path } = part;
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(store, part)}` }] as const;
  });
  return { paths: fromEntries(parts) };
}

function hashOf(store: Store, { path, types }: Part): string {
  const facts = JSON.stringify(
    types.map(({ plural, storage }) => {
      const definition = store.get(crds.storage, storage);
      return [plural, text(definition, 'metadata', 'uid'), text(definition, 'metadata', 'resourceVersion')];
    }),
  );
  return createHash('sha512').update(`${path} ${facts}`).digest('hex').toUpperCase();
}

/** Returns the hash of a document, as the index contains it. */
export function documentHash(store: Store, path: string): string | undefined {
  const part = partsOf(store).find((candidate) => candidate.path === path);
  return part === undefined ? undefined : hashOf(store, part);
}

/** Responds to GET /openapi/v3/<path>. `undefined` for a document that does not exist. */
export async function openApiDocument(store: Store, path: string): Promise<JsonObject | undefined> {
  const part = partsOf(store).find((candidate) => candidate.path === path);
  return part === undefined ? undefined : documentOf(store, part);
}

async function documentOf(store: Store, part: Part): Promise<JsonObject> {
  const { paths, names, definitions } = await contentOf(store, part);
  const schemas = componentSchemas(names, definitions);
  const description = 'Bearer Token authentication';
  const BearerToken = { type: 'apiKey', description, name: 'authorization', in: 'header' };
  return {
    openapi: '3.0.0',
    info,
    paths,
    components: {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      securitySchemes: { BearerToken },
    },
  };
}

/** Paths of a document, the names of the definitions that they refer to, and the definitions. */
export interface Content {
  readonly paths: JsonObject;
  readonly names: ReadonlySet<string>;
  readonly definitions: (name: string) => JsonObject | undefined;
}

export async function contentOf(store: Store, { types, operation, path }: Part): Promise<Content> {
  await Promise.all([...shared.map(loadFor), ...types.map(loadType)]);
  const own_ = new Map(types.flatMap((type) => customOf(store, type)));
  const names = new Set<string>();
  const definition = (of: GroupVersionKind): string => {
    const name = nameOf(of, own_);
    names.add(name);
    return name;
  };
  const root = operation === undefined ? {} : { [`/${path}/`]: pathItem('', [operation]) };
  const paths = types.map((type) => resourcePaths(type, definition));
  if (operation?.response !== undefined) names.add(operation.response);
  const all = fromEntries([root, ...paths].flatMap((each) => Object.entries(each)));
  for (const name of referencedIn(all)) names.add(name);
  return {
    paths: sortedMembers(all),
    names,
    definitions: (name) => own_.get(name) ?? sharedDefinition(name, types),
  };
}

/** Kinds whose group versions have definitions that others refer to. */
const shared = [
  'v1/Pod',
  'autoscaling/v1/HorizontalPodAutoscaler',
  'authentication.k8s.io/v1/TokenReview',
  'policy/v1/PodDisruptionBudget',
];

const versionInfo = 'io.k8s.apimachinery.pkg.version.Info';

/** Types that belong to every group version name the one of the document, too. */
function sharedDefinition(name: string, types: readonly ResourceType[]): JsonObject | undefined {
  if (name === `${meta}.Patch`) return { type: 'object' };
  if (name === versionInfo) return versionSchema;
  const found = definitionOf(name);
  const [first] = types;
  const kind = name.slice(meta.length + 1);
  if (found === undefined || first === undefined || first.apiVersion === 'v1') return found;
  if (!name.startsWith(`${meta}.`) || !['DeleteOptions', 'WatchEvent'].includes(kind)) return found;
  const { group, version } = first;
  const kinds = [
    { group: '', kind, version: 'v1' },
    { group, kind, version },
  ];
  return { ...found, 'x-kubernetes-group-version-kind': kinds };
}

const requiredInfo = [
  'major',
  'minor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
];
const optionalInfo = ['emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'];
const versionSchema: JsonObject = {
  type: 'object',
  required: requiredInfo,
  properties: {
    ...fromEntries(requiredInfo.map((name) => [name, { type: 'string', default: '' }])),
    ...fromEntries(optionalInfo.map((name) => [name, { type: 'string' }])),
  },
};

function sortedMembers(value: JsonObject): JsonObject {
  return fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function referencedIn(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(referencedIn);
  if (!isObject(value)) return [];
  const reference = own(value, '$ref');
  const name = typeof reference === 'string' ? [reference.replace('#/components/schemas/', '')] : [];
  return [...name, ...Object.values(value).flatMap(referencedIn)];
}

function loadType(type: ResourceType): Promise<unknown> {
  return type.strategy === 'custom' ? Promise.resolve() : loadFor(`${type.apiVersion}/${type.kind}`);
}

async function loadFor(key: string): Promise<void> {
  await loadGroupVersion(key);
}

/** Full names by group version and kind. */
const roots: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
};

function nameOf(of: GroupVersionKind, custom: ReadonlyMap<string, JsonObject>): string {
  const { group, version, kind } = of;
  const name = definitionName(of);
  if (custom.has(name)) return name;
  const short =
    group === '' ? 'core' : group.replace(/\.(authorization\.)?k8s\.io$/, '').replace(/\.apiserver$/, '');
  const root =
    roots[group] ?? `io.k8s.api.${group === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : short}`;
  return `${root}.${version}.${kind}`;
}

function customOf(store: Store, type: ResourceType): readonly (readonly [string, JsonObject])[] {
  if (type.strategy !== 'custom') return [];
  const { group, version, kind, listKind } = type;
  const schema = schemaOf(store, type);
  const isPreserving = schema !== undefined && own(schema, 'x-kubernetes-preserve-unknown-fields') === true;
  const published = customDefinitions(schema, { group, version, kind, listKind }, isPreserving);
  return [
    [definitionName(type), { ...published.object, ...selectableFields(type) }],
    [definitionName({ group, version, kind: listKind }), { ...published.list, ...selectableFields(type) }],
  ];
}

function selectableFields({ selectable }: ResourceType): JsonObject {
  if (selectable.length === 0) return {};
  return { 'x-kubernetes-selectable-fields': selectable.map((fieldPath) => ({ fieldPath })) };
}

/** Returns the schema of a custom resource as its definition contains it. */
export function schemaOf(store: Store, { storage, version }: ResourceType): JsonObject | undefined {
  const versions = array(store.get(crds.storage, storage), 'spec', 'versions');
  const found = versions.find((item) => text(item, 'name') === version);
  const schema = own(object(found, 'schema'), 'openAPIV3Schema');
  return isObject(schema) ? schema : undefined;
}

/** The documents of the server: the roots, one for each group, and one for each group version. */
export function partsOf(store: Store): readonly Part[] {
  const types = servedTypes(store);
  const groups = [...new Set(types.map((type) => type.group))].filter((group) => group !== '').sort();
  const versions = [...new Set(types.map((type) => type.apiVersion))].sort();
  const builtIn = new Set(types.filter(({ strategy }) => strategy !== 'custom').map(({ group }) => group));
  return [
    { path: 'api', types: [], operation: rootOperation('getCoreAPIVersions', 'core', 'APIVersions') },
    { path: 'apis', types: [], operation: rootOperation('getAPIVersions', 'apis', 'APIGroupList') },
    ...groups
      .filter((group) => builtIn.has(group))
      .map((group) => {
        const { prefix, tag } = namesOf(group, '', false);
        const operation = rootOperation(`get${prefix}APIGroup`, tag.slice(0, -1), 'APIGroup');
        return { path: `apis/${group}`, types: [], operation };
      }),
    ...versions.map((apiVersion) => versionPart(apiVersion, types)),
    keyPart('.well-known/openid-configuration', 'getServiceAccountIssuerOpenIDConfiguration', 'WellKnown'),
    keyPart('openid/v1/jwks', 'getServiceAccountIssuerOpenIDKeyset', 'openid', 'application/jwk-set+json'),
    {
      path: 'version',
      types: [],
      operation: {
        ...rootOperation('getCodeVersion', 'version', ''),
        types: ['application/json'],
        response: versionInfo,
      },
    },
  ];
}

/** A document about the keys of tokens, which the API describes as a string. */
function keyPart(path: string, id: string, tag: string, type = 'application/json'): Part {
  return {
    path,
    types: [],
    operation: { ...rootOperation(id, tag, ''), types: [type], response: undefined },
  };
}

function versionPart(apiVersion: string, all: readonly ResourceType[]): Part {
  const types = all.filter((type) => type.apiVersion === apiVersion);
  const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const [first] = types;
  if (first === undefined || first.strategy === 'custom') return { path, types, operation: undefined };
  const { prefix, tag } = namesOf(first.group, first.version, false);
  return { path, types, operation: rootOperation(`get${prefix}APIResources`, tag, 'APIResourceList') };
}

function rootOperation(id: string, tag: string, kind: string): Operation {
  const base = { method: 'get', id, tag, action: undefined, of: undefined, query: [], codes: [200] };
  return { ...base, types: responseTypes, response: `${meta}.${kind}` };
}
