/** Metadata of objects: decoding, validation and rules of names. */
import { type FieldError, fieldMessage, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import {
  array,
  compact,
  equal,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  object,
  own,
  strings,
  text,
  unlessSame,
} from '@kgen/schema/values/json';
import {
  labelKeyProblem,
  labelProblem,
  labelValueProblem,
  subdomainProblem,
} from '@kgen/schema/values/names';
import { UndecodableFailure } from './builtin/go-decode.ts';

type Shape = 'string' | 'number' | 'strings' | 'map' | 'objects';

/** The fields of ObjectMeta with their types. */
const fields: ReadonlyMap<string, Shape> = new Map([
  ['name', 'string'],
  ['generateName', 'string'],
  ['namespace', 'string'],
  ['selfLink', 'string'],
  ['uid', 'string'],
  ['resourceVersion', 'string'],
  ['generation', 'number'],
  ['creationTimestamp', 'string'],
  ['deletionTimestamp', 'string'],
  ['deletionGracePeriodSeconds', 'number'],
  ['labels', 'map'],
  ['annotations', 'map'],
  ['ownerReferences', 'objects'],
  ['finalizers', 'strings'],
  ['managedFields', 'objects'],
]);

/** Metadata with its known fields, and the paths of unknown ones. */
export interface CoercedMetadata {
  readonly metadata: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Reads metadata as the API server does: unknown fields are dropped, nulls and empty values count as absent.
 * @param kind kind and version in error messages
 * @param field field of the metadata of an embedded object, with which error messages begin
 * @throws {Failure} 400 for a field of the wrong type
 */
export function coerceMetadata(value: Json | undefined, kind: string, field = ''): CoercedMetadata {
  if (value === undefined || value === null) return { metadata: {}, unknown: [] };
  const problem = metadataProblem(value);
  if (!isObject(value) || problem !== undefined) {
    const message = field === '' ? (problem ?? '') : fieldMessage(invalidValue(field, value, problem ?? ''));
    const converted = message.replace(/^json: cannot unmarshal .* of type /, 'unrecognized type: ');
    throw new UndecodableFailure(kind, { message, converted });
  }
  const entries = Object.entries(value);
  const kept = mapped(value, (key, item) => (fields.has(key) && !isEmpty(item) ? item : undefined));
  return {
    metadata: unlessSame(value, kept),
    unknown: entries.filter(([key]) => !fields.has(key)).map(([key]) => `metadata.${key}`),
  };
}

/** Returns metadata with its members in the order of the Go type, in which errors print them. */
export function inOrder(metadata: JsonObject): JsonObject {
  return compact(Object.fromEntries([...fields.keys()].map((key) => [key, own(metadata, key)])));
}

function metadataProblem(value: Json): string | undefined {
  if (!isObject(value)) return mismatch(value, 'ObjectMeta', 'v1.ObjectMeta');
  for (const [key, item] of Object.entries(value)) {
    const shape = fields.get(key);
    if (shape === undefined || item === null || fits(item, shape)) continue;
    const wrong = misfit(item, shape);
    const type = wrong === item ? goTypes[shape] : elementTypes[shape];
    const entry = key === 'managedFields' ? type.replace('OwnerReference', 'ManagedFieldsEntry') : type;
    return mismatch(wrong, `ObjectMeta.${key}`, entry);
  }
  return undefined;
}

function fits(item: Json, shape: Shape): boolean {
  if (shape === 'map')
    return isObject(item) && Object.values(item).every((value) => typeof value === 'string');
  if (shape === 'strings') return Array.isArray(item) && item.every((value) => typeof value === 'string');
  if (shape === 'objects') return Array.isArray(item) && item.every(isObject);
  return typeof item === shape;
}

const goTypes: Readonly<Record<Shape, string>> = {
  string: 'string',
  number: 'int64',
  strings: '[]string',
  map: 'map[string]string',
  objects: '[]v1.OwnerReference',
};

const elementTypes: Readonly<Record<Shape, string>> = {
  ...goTypes,
  strings: 'string',
  map: 'string',
  objects: 'v1.OwnerReference',
};

/** Returns the invalid part of a value: one of its elements, or the value itself. */
function misfit(item: Json, shape: Shape): Json {
  if (shape !== 'map' && shape !== 'strings' && shape !== 'objects') return item;
  if (typeof item !== 'object' || item === null) return item;
  const expected = shape === 'objects' ? 'object' : 'string';
  return Object.values(item).find((element) => typeof element !== expected) ?? item;
}

function mismatch(value: Json, field: string, goType: string): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go struct field ${field} of type ${goType}`;
}

function isEmpty(item: Json): boolean {
  if (item === null || item === '') return true;
  return typeof item === 'object' && Object.keys(item).length === 0;
}

/** Rule for the name of an object: a known one, or a function that returns the problem of a name. */
export type NameRule = 'subdomain' | 'label' | ((name: string) => string | undefined);

/** Returns the errors in the metadata of an object that is written. */
export function validateMetadata(
  value: JsonObject,
  namespaced: boolean,
  rule: NameRule,
): readonly FieldError[] {
  const metadata = object(value, 'metadata');
  const check = typeof rule === 'function' ? rule : rule === 'label' ? labelProblem : subdomainProblem;
  const [name, generateName, namespace] = [
    text(metadata, 'name'),
    text(metadata, 'generateName'),
    text(metadata, 'namespace'),
  ];
  return [
    // The prefix is validated as if a suffix followed.
    ...problem(
      'metadata.generateName',
      generateName,
      generateName === '' ? undefined : check(`${generateName}x`.replace(/-x$/, 'x')),
    ),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : problem('metadata.name', name, check(name))),
    ...(namespaced
      ? namespaceErrors(namespace)
      : namespace === ''
        ? []
        : [forbiddenField('metadata.namespace', 'not allowed on this type')]),
    ...mapErrors(metadata),
    ...ownerErrors(metadata),
    ...finalizerErrors(strings(metadata, 'finalizers')),
  ];
}

function problem(field: string, value: Json, found: string | undefined): readonly FieldError[] {
  return found === undefined ? [] : [invalidValue(field, value, found)];
}

function namespaceErrors(namespace: string): readonly FieldError[] {
  if (namespace === '') return [required('metadata.namespace')];
  return problem('metadata.namespace', namespace, labelProblem(namespace));
}

function mapErrors(metadata: JsonObject): readonly FieldError[] {
  const labels = Object.entries(object(metadata, 'labels'));
  const annotations = Object.keys(object(metadata, 'annotations'));
  return [
    ...labels.flatMap(([key, value]) => [
      ...problem('metadata.labels', key, labelKeyProblem(key)),
      ...problem('metadata.labels', value, labelValueProblem(String(value))),
    ]),
    ...annotations.flatMap((key) => problem('metadata.annotations', key, labelKeyProblem(key.toLowerCase()))),
  ];
}

function ownerErrors(metadata: JsonObject): readonly FieldError[] {
  const references = array(metadata, 'ownerReferences');
  const field = 'metadata.ownerReferences';
  const missing = references.flatMap((reference) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((key) => text(reference, key) === '')
      .map((key) =>
        invalidValue(
          `${field}.${key}`,
          '',
          key === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
        ),
      ),
  );
  const [first, second] = references.filter((reference) => own(reference, 'controller') === true);
  if (first === undefined || second === undefined) return missing;
  const [a, b] = [first, second].map((reference) => `${text(reference, 'kind')}/${text(reference, 'name')}`);
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${a} and ${b}`;
  return [...missing, invalidValue(field, references.map(printable), detail)];
}

/** Returns a reference with its members in the order of the Go type. */
function printable(reference: Json): JsonObject {
  const members = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];
  return compact(Object.fromEntries(members.map((key) => [key, own(reference, key)])));
}

function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  const names = finalizers.flatMap((name) => problem('metadata.finalizers', name, labelKeyProblem(name)));
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return names;
  const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
  return [...names, invalidValue('metadata.finalizers', finalizers, detail)];
}

/** Returns the errors of finalizers that are not qualified, which most built-in kinds refuse. */
export function validateFinalizers(value: JsonObject): readonly FieldError[] {
  return qualifiedErrors(
    strings(value, 'metadata', 'finalizers'),
    (index) => `metadata.finalizers[${index}]`,
  );
}

/** Returns the errors of finalizers that are not qualified, each at its path. */
export function qualifiedErrors(
  names: readonly string[],
  pathOf: (index: number) => string,
): readonly FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return names.flatMap((name, index) =>
    isQualified(name) ? [] : [invalidValue(pathOf(index), name, detail)],
  );
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Returns whether a finalizer has a domain, or is one of the server. */
export function isQualified(finalizer: string): boolean {
  return finalizer.includes('/') || standardFinalizers.includes(finalizer);
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/** Returns the errors of an update that changes immutable metadata. */
export function validateMetadataUpdate(value: JsonObject, old: JsonObject): readonly FieldError[] {
  const [metadata, before] = [object(value, 'metadata'), object(old, 'metadata')];
  const known = strings(before, 'finalizers');
  const added = strings(metadata, 'finalizers')
    .filter((name) => !known.includes(name))
    .sort();
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  const deleting = text(before, 'deletionTimestamp') !== '';
  return [
    ...(deleting && added.length > 0 ? [forbiddenField('metadata.finalizers', detail)] : []),
    ...immutable
      .filter((key) => !equal(own(metadata, key), own(before, key)))
      .map((key) => invalidValue(`metadata.${key}`, own(metadata, key) ?? null, 'field is immutable')),
  ];
}
