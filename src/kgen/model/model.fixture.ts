import type { ProblemSeverity } from '../common/problems.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { readDefinition } from '../input/crd/definition.ts';
import { buildModel, type ModelOptions } from './build.ts';
import type { Facts, GroupVersion, NamedType, Property, Schema } from './ir.ts';
import { documentedKeywords } from './schema/facts.ts';
import { jsonText } from './schema/json.ts';

/** A CRD for tests. Omitted members have defaults. */
export interface CrdSketch {
  readonly group?: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly listKind?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly file?: string;
  /** `spec.versions`. Default: `v1` with `schema`. */
  readonly versions?: readonly JsonObject[];
  readonly schema?: JsonObject;
}

/** Returns a version for `CrdSketch.versions`. */
export function versionOf(name: string, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: name === 'v1', ...more };
}

/** Returns a definition as the input reader does. */
export function crdOf(sketch: CrdSketch = {}): CrdDefinition {
  const { group = 'example.com', kind = 'Foo', scope = 'Namespaced', file = 'foo.yaml' } = sketch;
  const plural = sketch.plural ?? `${kind.toLowerCase()}s`;
  const schema = sketch.schema === undefined ? {} : { schema: { openAPIV3Schema: sketch.schema } };
  const versions: readonly JsonObject[] = sketch.versions ?? [versionOf('v1', schema)];
  const names = { kind, plural, ...(sketch.listKind === undefined ? {} : { listKind: sketch.listKind }) };
  const value: JsonObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope, versions },
  };
  return definitionOf(value, file);
}

/** Returns the definition of a complete CRD. */
export function definitionOf(value: JsonObject, file = 'foo.yaml'): CrdDefinition {
  const position = (path: readonly (string | number)[]) => ({ file: `${file}#${path.join('/')}` });
  const { value: definition, problems } = readDefinition({ value, file, position });
  if (definition === undefined) throw new Error(problems.map(({ what }) => what).join('\n'));
  return definition;
}

/** Returns the only group version of a model, and its problems as `place: sentence`. */
export function built(
  crds: readonly CrdDefinition[],
  options: ModelOptions = {},
): { groupVersion: GroupVersion; warnings: readonly string[]; errors: readonly string[] } {
  const { model, problems } = buildModel({ crds }, options);
  const [groupVersion] = model.groupVersions;
  if (groupVersion === undefined) throw new Error('the model is empty');
  const reported = (severity: ProblemSeverity): readonly string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ where, what }) => `${where?.file ?? ''}: ${what}`);
  return { groupVersion, warnings: reported('warning'), errors: reported('error') };
}

/** A row of a table: the result of `specText` for a schema. */
export interface SpecCase {
  readonly title: string;
  readonly given: JsonValue;
  readonly want: string;
}

/** Returns the property `spec` of kind `Foo` with the given schema, in the form of `propertyText`. */
export function specText(spec: JsonValue, required = false): string {
  const properties = { spec };
  const schema: JsonObject = { type: 'object', properties, ...(required ? { required: ['spec'] } : {}) };
  return propertyText(specOf(schema), namedTypes(built([crdOf({ schema })]).groupVersion));
}

/** Returns the property `spec` of kind `Foo` with the given root schema. */
export function specOf(schema: JsonObject): Property {
  return propertyOf(typeOf(built([crdOf({ schema })]).groupVersion, 'Foo'), 'spec');
}

/** Returns the type with that name. */
export function typeOf(groupVersion: GroupVersion, name: string): NamedType {
  const type = groupVersion.types.find((each) => each.name === name);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  return type;
}

/** Returns the property with that name. */
export function propertyOf(type: NamedType, name: string): Property {
  const property = type.properties.find((each) => each.name === name);
  if (property === undefined) throw new Error(`${type.name} has no property ${name}`);
  return property;
}

/** Returns the keywords that facts document as lines `keyword value`. */
export function rulesText({ keywords, isWhole, logic }: Facts): readonly string[] {
  const names = isWhole === true ? [...documentedKeywords, ...(logic ?? [])] : Object.keys(keywords);
  return names.flatMap((name) =>
    keywords[name] === undefined ? [] : [`${name} ${jsonText(keywords[name])}`],
  );
}

/** Returns types by name. */
export function namedTypes(groupVersion: GroupVersion): ReadonlyMap<string, NamedType> {
  return new Map(groupVersion.types.map((type) => [type.name, type]));
}

/** Returns a property as a line of TypeScript, with nested types inlined. `=` marks a default. */
export function propertyText(property: Property, types: ReadonlyMap<string, NamedType>): string {
  const mark = `${property.defaulted ? '=' : ''}${property.optional ? '?' : ''}`;
  return `${property.name}${mark}: ${schemaText(property.schema, types)}`;
}

/** Returns a named type with its members inlined. */
export function membersText(type: NamedType, types: ReadonlyMap<string, NamedType>): string {
  const members = type.properties.map((property) => propertyText(property, types));
  const rest = type.rest === undefined ? [] : [`[*]: ${schemaText(type.rest, types)}`];
  return `{ ${[...members, ...rest].join('; ')} }`;
}

function schemaText(schema: Schema, types: ReadonlyMap<string, NamedType>): string {
  return (
    [shapeText(schema, types), ...(schema.nullable ? ['null'] : [])]
      .filter((text) => text !== '')
      .join(' | ') || 'never'
  );
}

function shapeText(schema: Schema, types: ReadonlyMap<string, NamedType>): string {
  switch (schema.shape) {
    case 'unknown':
      return `unknown(${schema.reason})`;
    case 'enum':
      return schema.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'array': {
      const keys = schema.mapKeys.length === 0 ? '' : ` ${schema.mapKeys.join(',')}`;
      return `${schema.list === 'atomic' ? '' : `${schema.list}${keys} `}[${schemaText(schema.items, types)}]`;
    }
    case 'map':
      return `{ [*]: ${schemaText(schema.values, types)} }`;
    case 'ref': {
      const type = types.get(schema.name);
      return type === undefined ? `dangling ${schema.name}` : membersText(type, types);
    }
    case 'runtime':
      return schema.name;
    case 'constant':
      return JSON.stringify(schema.value);
    case 'union':
      return schema.members.map((member) => schemaText(member, types)).join(' | ');
    default:
      return schema.shape;
  }
}

/** Returns the names of all types, aliases included. A hash suffix is replaced by `_#`. */
export function namesOf(...sketches: readonly CrdSketch[]): readonly string[] {
  const { types } = built(sketches.map((sketch) => crdOf(sketch))).groupVersion;
  return types
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .map((name) => name.replace(/_[0-9a-f]{6}$/, '_#'));
}
