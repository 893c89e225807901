/**
 * The normal form in which definitions are compared: what API servers add, ignore or derive is left out, and
 * order and line breaks do not count.
 */
import {
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { byText } from '../../common/words.ts';

/** Returns the normal form of a CustomResourceDefinition of apiextensions v1. */
export function normalDefinition(definition: JsonObject): JsonObject {
  const spec = object(definition, 'spec');
  const names = object(spec, 'names');
  const kind = text(names, 'kind');
  const versions = own(spec, 'versions');
  const conversion = object(spec, 'conversion');
  return filled({
    labels: object(definition, 'metadata', 'labels'),
    annotations: keptAnnotations(object(definition, 'metadata', 'annotations')),
    group: text(spec, 'group'),
    scope: text(spec, 'scope'),
    names: filled({
      ...names,
      listKind: text(names, 'listKind') || `${kind}List`,
      singular: text(names, 'singular') || kind.toLowerCase(),
    }),
    conversion:
      text(conversion, 'strategy') === 'Webhook' ? normalWebhook(object(conversion, 'webhook')) : {},
    versions: (isArray(versions) ? versions : [])
      .map((version) => normalVersion(isObject(version) ? version : {}))
      .sort((a, b) => byText(text(a, 'name'), text(b, 'name'))),
  });
}

/** Annotations about the program that wrote the file, or the request that sent it, are no part of it. */
export function keptAnnotations(annotations: JsonObject): JsonObject {
  return omit(
    annotations,
    'controller-gen.kubebuilder.io/version',
    'kubectl.kubernetes.io/last-applied-configuration',
  );
}

/** Certificates are inserted by the programs that renew them. */
function normalWebhook(webhook: JsonObject): JsonObject {
  const config = object(webhook, 'clientConfig');
  const service = object(config, 'service');
  return filled({
    ...webhook,
    clientConfig: filled({
      ...omit(config, 'caBundle'),
      service: filled({ ...service, ...(own(service, 'port') === 443 && { port: false }) }),
    }),
  });
}

function normalVersion(version: JsonObject): JsonObject {
  const subresources = object(version, 'subresources');
  const columns = own(version, 'additionalPrinterColumns');
  return filled({
    ...omit(version, 'schema'),
    additionalPrinterColumns: (isArray(columns) ? columns : []).map((column) =>
      isObject(column)
        ? filled({ ...column, ...(own(column, 'priority') === 0 && { priority: false }) })
        : column,
    ),
    schema: folded(normalRoot(object(version, 'schema', 'openAPIV3Schema'))),
    subresources: {
      ...(own(subresources, 'status') !== undefined && { status: true }),
      ...(own(subresources, 'scale') !== undefined && { scale: object(subresources, 'scale') }),
    },
  });
}

const identity = new Map([
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['metadata', 'object'],
]);

/** Returns the schema of a kind without the members that servers add. */
export function normalRoot(schema: JsonObject): JsonObject {
  const node = normalSchema(schema);
  const properties = Object.entries(object(node, 'properties')).filter(([name, value]) => {
    const type = identity.get(name);
    return type === undefined || !isObject(value) || !equal(omit(value, 'description'), { type });
  });
  const required = strings(node, 'required').filter((name) => !identity.has(name));
  return filled({ ...node, properties: Object.fromEntries(properties), required });
}

/** Returns a schema without keywords that have no effect. */
export function normalSchema(schema: JsonObject): JsonObject {
  const node = withoutPair(schema);
  const { description, properties, required, items, additionalProperties, ...others } = node;
  const kept = Object.entries(others).filter(([key, value]) => !(flags.has(key) && value === false));
  return filled(
    {
      ...Object.fromEntries(kept),
      ...(typeof description === 'string' && { description: description.trim() }),
      ...(isObject(properties) && { properties: mapValues(properties, normalValue) }),
      ...(required !== undefined && { required: [...new Set(strings(node, 'required'))].sort(byText) }),
      ...(items !== undefined && { items: normalValue(items) }),
      ...(additionalProperties !== undefined && { additionalProperties: normalValue(additionalProperties) }),
    },
    emptied,
  );
}

/** Returns a schema whose descriptions are one line each: comments have other line breaks. */
function folded({ description, properties, items, additionalProperties, ...others }: JsonObject): JsonObject {
  const part = (value: Json): Json => (isObject(value) ? folded(value) : value);
  return {
    ...others,
    ...(description !== undefined && {
      description: typeof description === 'string' ? oneLine(description) : description,
    }),
    ...(properties !== undefined && {
      properties: isObject(properties) ? mapValues(properties, part) : properties,
    }),
    ...(items !== undefined && { items: part(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: part(additionalProperties) }),
  };
}

/** Returns a text with one blank in place of each line break and run of blanks. */
export function oneLine(value: string): string {
  return value.split(/\s+/).join(' ').trim();
}

function normalValue(value: Json): Json {
  return isObject(value) ? normalSchema(value) : value;
}

const flags: ReadonlySet<string> = new Set([
  ...['nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-preserve-unknown-fields'],
]);

const emptied: ReadonlySet<string> = new Set(['description', 'properties', 'required']);

/** `anyOf: [{type: integer}, {type: string}]` says the same as `x-kubernetes-int-or-string`. */
function withoutPair(node: JsonObject): JsonObject {
  const pair = own(node, 'anyOf');
  const isPair =
    isArray(pair) &&
    pair.length === 2 &&
    ['integer', 'string'].every((type) => pair.some((member) => equal(member, { type })));
  return isPair && own(node, 'x-kubernetes-int-or-string') === true ? omit(node, 'anyOf') : node;
}

function mapValues(value: JsonObject, map: (item: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}

/** Returns an object without empty members, or without the empty ones of some names. */
function filled(value: JsonObject, names?: ReadonlySet<string>): JsonObject {
  const kept = Object.entries(value).filter(([key, item]) => !isEmpty(item) || names?.has(key) === false);
  return Object.fromEntries(kept);
}

function isEmpty(value: Json): boolean {
  if (isArray(value)) return value.length === 0;
  return value === '' || value === false || (isObject(value) && Object.keys(value).length === 0);
}
