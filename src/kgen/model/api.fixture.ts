import { byText } from '../common/words.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import type {
  ApiDefinition,
  ApiDescription,
  ApiGroupVersion,
  ApiParameter,
  ApiResource,
  ApiSubresource,
  ApiVerb,
  GroupVersionKind,
} from '../openapi/types.ts';
import { type Built, buildModel, type ModelOptions } from './build.ts';
import type { GroupVersion, NamedType, Property, Schema } from './ir.ts';
import { namedTypes } from './model.fixture.ts';

/** Verbs of stored objects. */
export const allVerbs: readonly ApiVerb[] = [
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

/** Prefix of the definitions that all groups share. */
export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Parses `apps/v1/Deployment`; `v1/Pod` is in the core group. */
export function gvk(text: string): GroupVersionKind {
  const parts = text.split('/');
  const [kind = '', version = '', ...group] = [...parts].reverse();
  return { group: group.reverse().join('/'), version, kind };
}

/** Returns a definition. `kinds` have the form of `gvk`. */
export function definitionOf(name: string, schema: JsonObject, kinds: readonly string[] = []): ApiDefinition {
  return {
    name,
    schema,
    kinds: kinds.map(gvk),
    position: (path) => ({ file: `api.json#${[name, ...path].join('/')}` }),
  };
}

/** Returns an object schema with these properties. */
export function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** Returns a reference with its siblings. */
export function ref(name: string, more: JsonObject = {}): JsonObject {
  return { $ref: name, ...more };
}

/** Returns the schema of a kind with these properties besides the common ones. */
export function kindSchema(properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const string = { type: 'string' };
  return object(
    { apiVersion: string, kind: string, metadata: ref(`${meta}.ObjectMeta`), ...properties },
    more,
  );
}

/** Returns the schema of a list of a definition. */
export function listSchema(item: string): JsonObject {
  const string = { type: 'string' };
  const items = { type: 'array', items: ref(item) };
  return object({ apiVersion: string, items, kind: string, metadata: ref(`${meta}.ListMeta`) });
}

/** Returns a resource. Members default to those of a stored, namespaced, built-in kind. */
export function resourceOf(kind: string, plural: string, more: Partial<ApiResource> = {}): ApiResource {
  return {
    plural,
    singular: gvk(kind).kind.toLowerCase(),
    kind: gvk(kind),
    scope: 'Namespaced',
    verbs: allVerbs,
    shortNames: [],
    categories: [],
    strategicPatch: true,
    subresources: [],
    ...more,
  };
}

/** Returns a subresource. */
export function subresourceOf(
  name: string,
  kind: string,
  more: Partial<Omit<ApiSubresource, 'name' | 'kind'>> = {},
): ApiSubresource {
  return { name, kind: gvk(kind), verbs: ['get'], text: false, parameters: [], ...more };
}

/** Returns query parameters: `command[]` is a list. */
export function parametersOf(names: readonly string[]): readonly ApiParameter[] {
  return names.map((name) => ({ name: name.replace('[]', ''), type: 'string', list: name.endsWith('[]') }));
}

/** Returns an API from definitions, and resources by `group/version`. */
export function apiOf(
  definitions: readonly ApiDefinition[],
  served: Readonly<Record<string, readonly ApiResource[]>> = {},
): ApiDescription {
  const groupVersions = Object.entries(served).map(([key, resources]): ApiGroupVersion => {
    const { group, version } = gvk(`${key}/`);
    return { group, version, resources };
  });
  return {
    definitions: new Map(
      [...shared, ...definitions]
        .sort((a, b) => byText(a.name, b.name))
        .map((definition) => [definition.name, definition]),
    ),
    groupVersions: groupVersions.sort((a, b) => byText(a.group, b.group) || byText(a.version, b.version)),
    kubernetesVersion: '1.36',
  };
}

/** Definitions of every API. */
const shared: readonly ApiDefinition[] = [
  definitionOf(`${meta}.ObjectMeta`, object({ name: { type: 'string' } })),
  definitionOf(`${meta}.ListMeta`, object({ continue: { type: 'string' } })),
];

/** Returns the model of an API, which must be free of problems. */
export function modelOf(api: ApiDescription, options: ModelOptions = {}): Built {
  const built = buildModel({ crds: [], api }, options);
  if (built.problems.length > 0) throw new Error(built.problems.map(({ what }) => what).join('\n'));
  return built;
}

/** Returns the group version `apps/v1`. */
export function groupVersionOf({ model }: Pick<Built, 'model'>, apiVersion: string): GroupVersion {
  const found = model.groupVersions.find((each) => each.apiVersion === apiVersion);
  if (found === undefined) throw new Error(`there is no group version ${apiVersion}`);
  return found;
}

/**
 * Returns a field `spec.field` with this schema, in `example/v1` beside the other definitions, as one line.
 */
export function fieldText(
  schema: JsonValue,
  definitions: readonly ApiDefinition[] = [],
  required: readonly string[] = [],
): string {
  return propertyText(fieldOf(schema, definitions, required));
}

/** Returns a field `spec.field` with this schema as a property. */
export function fieldOf(
  schema: JsonValue,
  definitions: readonly ApiDefinition[] = [],
  required: readonly string[] = [],
): Property {
  const spec = object({ field: schema }, { required });
  const api = apiOf([
    definitionOf('com.example.v1.Thing', kindSchema({ spec: ref('com.example.v1.ThingSpec') }), [
      'example/v1/Thing',
    ]),
    definitionOf('com.example.v1.ThingSpec', spec),
    ...definitions,
  ]);
  const [property] = typeNamed(groupVersionOf(modelOf(api), 'example/v1'), 'ThingSpec').properties;
  if (property === undefined) throw new Error('the field is gone');
  return property;
}

/** Returns the type with that name. */
export function typeNamed(groupVersion: GroupVersion, name: string): NamedType {
  const type = namedTypes(groupVersion).get(name);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  return type;
}

/** Returns a type and its members, with references by name. */
export function typeText(type: NamedType): string {
  const rest = type.rest === undefined ? [] : [`[*]: ${schemaText(type.rest)}`];
  return `${type.role} { ${[...type.properties.map(propertyText), ...rest].join('; ')} }`;
}

function propertyText({ name, optional, defaulted, schema }: Property): string {
  return `${name}${defaulted ? '=' : ''}${optional ? '?' : ''}: ${schemaText(schema)}`;
}

/** Returns a schema as a type, with references by name. */
export function schemaText(schema: Schema): string {
  return shapeText(schema) + (schema.nullable ? ' | null' : '');
}

function shapeText(schema: Schema): string {
  switch (schema.shape) {
    case 'unknown':
      return `unknown(${schema.reason})`;
    case 'enum':
      return [...schema.values.map((value) => JSON.stringify(value)), ...(schema.open ? ['…'] : [])].join(
        ' | ',
      );
    case 'array': {
      const keys = schema.list === 'map' ? `map ${schema.mapKeys.join(',')} ` : '';
      return `${keys}[${schemaText(schema.items)}]`;
    }
    case 'map':
      return `{ [*]: ${schemaText(schema.values)} }`;
    case 'ref':
      return schema.from === undefined
        ? schema.name
        : `${schema.from.group}/${schema.from.version}.${schema.name}`;
    case 'runtime':
      return `@${schema.name}`;
    case 'constant':
      return JSON.stringify(schema.value);
    case 'union':
      return schema.members.map(schemaText).join(' | ');
    default:
      return schema.shape;
  }
}
