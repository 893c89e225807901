/** Descriptors of fields, by which consoles show forms and states of custom resources. Pure. */
import {
  array,
  at,
  isObject,
  type Json,
  type JsonObject,
  object,
  strings,
  text,
} from '@kgen/schema/values/json';

/** Part of an object that descriptors describe. */
export type DescribedPart = 'spec' | 'status';

const ui = 'urn:alm:descriptor:com.tectonic.ui:';
const kubernetes = 'urn:alm:descriptor:io.kubernetes';

/** Longest path of a descriptor, in fields. */
const maxDepth = 3;
/** Objects with more fields, such as those of Pods, are described as a whole. */
const maxFields = 15;

/** Returns the descriptors of a version of a definition, in the order of the schema. */
export function descriptorsOf(version: JsonObject, part: DescribedPart): readonly JsonObject[] {
  const schema = object(version, 'schema', 'openAPIV3Schema', 'properties', part);
  const scaled = text(
    version,
    'subresources',
    'scale',
    part === 'spec' ? 'specReplicasPath' : 'statusReplicasPath',
  );
  const context: Context = { part, scaled };
  return propertiesOf(schema).flatMap(([key, property]) => described([key], property, context));
}

interface Context {
  readonly part: DescribedPart;
  /** Path of the replicas: `.spec.replicas`. */
  readonly scaled: string;
}

function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(object(schema, 'properties')).flatMap(([key, value]) =>
    isObject(value) ? [[key, value] as const] : [],
  );
}

function described(path: readonly string[], schema: JsonObject, context: Context): readonly JsonObject[] {
  const key = path.at(-1) ?? '';
  const hints = hintsOf(path, schema, context);
  const group = path.slice(0, -1).map((each) => `${ui}fieldGroup:${each}`);
  const all = context.part === 'spec' ? [...group.slice(0, 1), ...hints] : hints;
  const description = text(schema, 'description');
  const own = {
    path: path.join('.'),
    displayName: wordsOf(key),
    ...(description !== '' && { description }),
    ...(all.length > 0 && { 'x-descriptors': all }),
  };
  const nested = propertiesOf(schema);
  const isWhole = nested.length > maxFields || path.length === maxDepth || hints.length > 0;
  return isWhole
    ? [own]
    : [own, ...nested.flatMap(([inner, property]) => described([...path, inner], property, context))];
}

/** Returns the parts of a name as words: `Min Ready` for `minReady`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4').split(/[\s_.-]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

function hintsOf(path: readonly string[], schema: JsonObject, { part, scaled }: Context): readonly string[] {
  if (`.${[part, ...path].join('.')}` === scaled) return [`${ui}podCount`];
  return part === 'spec' ? specHints(path, schema) : statusHints(path.at(-1) ?? '', schema);
}

/** Objects of which a field is the name. */
const named: readonly (readonly [field: RegExp, kind: string])[] = [
  [/secret(Ref|Name)?$/i, 'Secret'],
  [/configMap(Ref|Name)?$/i, 'ConfigMap'],
  [/^serviceAccount(Name)?$/, 'ServiceAccount'],
  [/^(claimName|persistentVolumeClaim(Ref|Name)?)$/, 'PersistentVolumeClaim'],
  [/^storageClass(Name)?$/, 'StorageClass'],
];
/** Fields that consoles know by name, if they are objects or texts of this name. */
const known = ['nodeAffinity', 'podAffinity', 'podAntiAffinity', 'imagePullPolicy', 'updateStrategy'];

function specHints(path: readonly string[], schema: JsonObject): readonly string[] {
  const [key, above] = [path.at(-1) ?? '', path.at(-2) ?? ''];
  const type = text(schema, 'type');
  if (known.includes(key)) return [`${ui}${key}`];
  if (type === 'object' && at(schema, 'properties', 'limits') && at(schema, 'properties', 'requests'))
    return [`${ui}resourceRequirements`];
  const choices = array(schema, 'enum').filter((each) => typeof each === 'string');
  if (choices.length > 0) return choices.map((each) => `${ui}select:${each}`);
  if (type === 'boolean') return [`${ui}booleanSwitch`];
  if (type === 'integer' || type === 'number') return [`${ui}number`];
  if (type === 'string') {
    const name = key === 'name' ? above : key;
    const [, kind] = named.find(([field]) => field.test(name)) ?? [];
    if (kind !== undefined) return [`${kubernetes}:${kind}`];
    return [`${ui}${text(schema, 'format') === 'password' ? 'password' : 'text'}`];
  }
  return at(schema, 'x-kubernetes-int-or-string') === true ? [`${ui}text`] : [];
}

function statusHints(key: string, schema: JsonObject): readonly string[] {
  const type = text(schema, 'type');
  if (key === 'conditions' && isConditions(schema)) return [`${kubernetes}.conditions`];
  if (key === 'phase' && type === 'string') return [`${kubernetes}.phase`];
  if (key === 'reason' && type === 'string') return [`${kubernetes}.phase:reason`];
  if (text(schema, 'format') === 'uri') return ['urn:alm:descriptor:org.w3:link'];
  return ['string', 'integer', 'number', 'boolean'].includes(type) ? ['urn:alm:descriptor:text'] : [];
}

function isConditions(schema: JsonObject): boolean {
  const item: Json | undefined = at(schema, 'items', 'properties');
  return (
    text(schema, 'type') === 'array' && at(item, 'type') !== undefined && at(item, 'status') !== undefined
  );
}

/** Returns the first parts of the paths of descriptors. */
export function describedFields(descriptors: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(
    strings({ paths: descriptors.map((each) => text(each, 'path').split('.')[0] ?? '') }, 'paths'),
  );
}
