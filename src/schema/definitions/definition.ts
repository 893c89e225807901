/** Rules of API servers for CustomResourceDefinitions, which refer to the rules of their schemas. */
import { type FieldError, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  at,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '../values/json.ts';
import { label1035Problems, subdomainProblem } from '../values/names.ts';
import { conversionErrors } from './conversion.ts';
import {
  columnErrors,
  deprecationErrors,
  type Part,
  type Parts,
  type SchemaErrors,
  schemaErrors,
  selectableErrors,
  subresourceErrors,
} from './versions.ts';

/** Returns a definition with the defaults of its spec. */
export function withDefinitionDefaults(value: JsonObject): JsonObject {
  const spec = object(value, 'spec');
  const names = object(spec, 'names');
  const kind = text(names, 'kind');
  const conversion = object(spec, 'conversion');
  const defaulted = {
    ...spec,
    names: {
      ...names,
      singular: text(names, 'singular') || kind.toLowerCase(),
      listKind: text(names, 'listKind') || (kind === '' ? '' : `${kind}List`),
    },
    conversion: withPort(
      text(conversion, 'strategy') === '' ? { ...conversion, strategy: 'None' } : conversion,
    ),
    versions: array(spec, 'versions').map((version) => (isObject(version) ? version : {})),
  };
  return {
    ...value,
    spec: own(spec, 'preserveUnknownFields') === false ? omit(defaulted, 'preserveUnknownFields') : defaulted,
  };
}

function withPort(conversion: JsonObject): JsonObject {
  const service = at(conversion, 'webhook', 'clientConfig', 'service');
  if (!isObject(service) || own(service, 'port') !== undefined) return conversion;
  return putAt(conversion, ['webhook', 'clientConfig', 'service', 'port'], 443);
}

/**
 * Returns the errors of a definition, in the order of API servers. They move the parts of versions that are
 * equal in all of them to the spec, and report those there: `spec.selectableFields[0].jsonPath`.
 * @param value with its defaults
 * @param old the definition before an update
 * @param errorsOf validates a schema
 */
export function definitionErrors(
  value: JsonObject,
  old: JsonObject | undefined,
  errorsOf: SchemaErrors,
): readonly FieldError[] {
  const spec = object(value, 'spec');
  return [
    ...(old === undefined ? nameErrors(value, spec) : []),
    ...groupErrors(text(spec, 'group')),
    ...scopeErrors(text(spec, 'scope')),
    ...versionsErrors(spec, errorsOf),
    ...(old === undefined ? [] : immutableErrors(spec, old)),
    ...storedVersionErrors(value),
    ...approvalErrors(value, old),
    ...(own(spec, 'preserveUnknownFields') === true && at(old, 'spec', 'preserveUnknownFields') !== true
      ? [invalidValue('spec.preserveUnknownFields', true, noPreservation)]
      : []),
  ];
}

const noPreservation =
  'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';

function nameErrors(value: JsonObject, spec: JsonObject): readonly FieldError[] {
  const name = text(value, 'metadata', 'name');
  if (name === `${text(spec, 'names', 'plural')}.${text(spec, 'group')}`) return [];
  return [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const problem = subdomainProblem(group);
  if (problem !== undefined) return [invalidValue('spec.group', group, problem)];
  return group.includes('.')
    ? []
    : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope')];
  return scope === 'Cluster' || scope === 'Namespaced'
    ? []
    : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

/** Parts of versions that API servers move to the spec if they are equal in all versions. */
const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

function versionsErrors(spec: JsonObject, errorsOf: SchemaErrors): readonly FieldError[] {
  const versions = array(spec, 'versions');
  const [first = {}, ...rest] = versions;
  const isShared = (key: string): boolean =>
    rest.every((version) => equal(own(version, key) ?? null, own(first, key) ?? null));
  const partsOf = (version: Json, keys: readonly Part[]): Parts =>
    Object.fromEntries(keys.map((key) => [key, own(version, key) ?? null]));
  const moved = parts.filter(isShared);
  const kept = parts.filter((key) => !moved.includes(key));
  const shared = partsOf(first, moved);
  const preserves = own(spec, 'preserveUnknownFields') === true;
  const hasStatus = (version: Json): boolean => isObject(at(version, 'subresources', 'status'));
  return [
    ...versions.flatMap((version, index) =>
      isObject(at(version, 'schema', 'openAPIV3Schema'))
        ? []
        : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
    ),
    ...(preserves && hasDefault(versions.map((version) => own(version, 'schema') ?? null))
      ? [
          invalidValue(
            'spec.preserveUnknownFields',
            true,
            'must be false in order to use defaults in the schema',
          ),
        ]
      : []),
    ...versions.flatMap((version, index) => {
      const parts = partsOf(version, kept);
      const path = `spec.versions[${index}]`;
      return [
        ...labelErrors(text(version, 'name'), `${path}.name`),
        ...deprecationErrors(version, path),
        ...schemaErrors(parts, path, hasStatus(version), errorsOf),
        ...subresourceErrors(parts, path),
        ...columnErrors(parts, path),
        ...selectableErrors(parts, path, parts.schema),
      ];
    }),
    ...listErrors(versions, moved),
    ...(versions.length === 0 ? [] : labelErrors(text(first, 'name'), 'spec.version')),
    ...namesErrors(object(spec, 'names')),
    ...schemaErrors(shared, 'spec', versions.some(hasStatus), errorsOf),
    ...subresourceErrors(shared, 'spec'),
    ...columnErrors(shared, 'spec'),
    ...selectableErrors(shared, 'spec', shared.schema),
    ...conversionErrors(object(spec, 'conversion'), preserves),
  ];
}

/** Returns whether a schema below a list of schemas sets a default; properties may have that name. */
function hasDefault(schemas: readonly Json[]): boolean {
  return schemas.some((schema) => {
    if (!isObject(schema)) return Array.isArray(schema) && hasDefault(schema);
    return Object.entries(schema).some(([key, inner]) => {
      if (key === 'default') return true;
      return hasDefault(key === 'properties' && isObject(inner) ? Object.values(inner) : [inner]);
    });
  });
}

function labelErrors(name: string, path: string, prefix = ''): readonly FieldError[] {
  const problems = label1035Problems(prefix === '' ? name : name.toLowerCase());
  return problems.length === 0 ? [] : [invalidValue(path, name, prefix + problems.join(','))];
}

function listErrors(versions: readonly Json[], moved: readonly string[]): readonly FieldError[] {
  const names = versions.map((version) => text(version, 'name'));
  const storage = versions.filter((version) => own(version, 'storage') === true).length;
  const printed = versions.map((version) => printVersion(version, moved));
  return [
    ...(new Set(names).size === names.length
      ? []
      : [invalidValue('spec.versions', printed, 'must contain unique version names')]),
    ...(storage === 1
      ? []
      : [invalidValue('spec.versions', printed, 'must have exactly one version marked as storage version')]),
  ];
}

/** Returns a version with the names of the server's own type, as errors print it. */
function printVersion(version: Json, moved: readonly string[]): Json {
  const part = (key: string): Json => (moved.includes(key) ? null : (own(version, key) ?? null));
  return {
    Name: text(version, 'name'),
    Served: own(version, 'served') === true,
    Storage: own(version, 'storage') === true,
    Deprecated: own(version, 'deprecated') === true,
    DeprecationWarning: own(version, 'deprecationWarning') ?? null,
    Schema: part('schema'),
    Subresources: part('subresources'),
    AdditionalPrinterColumns: part('additionalPrinterColumns'),
    SelectableFields: part('selectableFields'),
  };
}

function namesErrors(names: JsonObject): readonly FieldError[] {
  const mixed = 'may have mixed case, but should otherwise match: ';
  const keys = ['plural', 'singular', 'kind', 'listKind'] as const;
  const isSame = text(names, 'kind') !== '' && text(names, 'kind') === text(names, 'listKind');
  const all = (key: string): readonly FieldError[] =>
    strings(names, key).flatMap((name, index) => labelErrors(name, `spec.names.${key}[${index}]`));
  return [
    ...keys.flatMap((key) => (text(names, key) === '' ? [required(`spec.names.${key}`)] : [])),
    ...keys.flatMap((key) =>
      text(names, key) === ''
        ? []
        : labelErrors(text(names, key), `spec.names.${key}`, /kind/i.test(key) ? mixed : ''),
    ),
    ...all('shortNames'),
    ...(isSame
      ? [invalidValue('spec.names.listKind', text(names, 'kind'), 'kind and listKind may not be the same')]
      : []),
    ...all('categories'),
  ];
}

/** The names of the storage are immutable; the others are so as soon as the definition is served. */
function immutableErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const served = [
    ['spec.scope', 'scope'],
    ['spec.names.kind', 'names', 'kind'],
  ] as const;
  const always = [
    ['spec.group', 'group'],
    ['spec.names.plural', 'names', 'plural'],
  ] as const;
  return [...(isEstablished(old) ? served : []), ...always].flatMap(([path, ...keys]) => {
    const [value, before] = [text(spec, ...keys), text(old, 'spec', ...keys)];
    return value === before ? [] : [invalidValue(path, value, 'field is immutable')];
  });
}

/** Returns whether the definition's objects are served: the condition `Established` is True. */
export function isEstablished(crd: JsonObject): boolean {
  return array(crd, 'status', 'conditions').some(
    (condition) => text(condition, 'type') === 'Established' && text(condition, 'status') === 'True',
  );
}

/** Versions in which objects may be stored have to remain. */
function storedVersionErrors(value: JsonObject): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = strings(value, 'status', 'storedVersions');
  if (own(value, 'status') === undefined) return [];
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const versions = array(value, 'spec', 'versions');
  const names = versions.map((version) => text(version, 'name'));
  return [
    ...versions
      // A second version with the name of a stored one is not a stored one.
      .filter((version, index) => {
        const name = text(version, 'name');
        const isStored = stored.includes(name) && names.indexOf(name) === index;
        return own(version, 'storage') === true && !isStored;
      })
      .map((version) => invalidValue(path, stored, `must have the storage version ${text(version, 'name')}`)),
    ...stored.flatMap((name, index) =>
      names.includes(name)
        ? []
        : [
            invalidValue(
              `${path}[${index}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

const annotation = 'api-approved.kubernetes.io';
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;
const proposal = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** An update may keep the state of the approval. */
function approvalErrors(value: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!protectedGroup.test(text(value, 'spec', 'group'))) return [];
  const state = approval(value);
  if (old !== undefined && approval(old) === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  const rule = `protected groups must have approval annotation "${annotation}"`;
  if (state === 'missing') return [required(path, `${rule}, ${proposal}`)];
  if (state !== 'invalid') return [];
  const detail = `${rule} with either a URL or a reason starting with "unapproved", ${proposal}`;
  return [invalidValue(path, text(value, 'metadata', 'annotations', annotation), detail)];
}

function approval(value: JsonObject): 'missing' | 'unapproved' | 'approved' | 'invalid' {
  const given = text(value, 'metadata', 'annotations', annotation);
  if (given === '') return 'missing';
  if (given.startsWith('unapproved')) return 'unapproved';
  return URL.canParse(given) && new URL(given).host !== '' ? 'approved' : 'invalid';
}
