/**
 * The normal form in which definitions are compared: what API servers add, ignore or derive is left out, and
 * order and line breaks do not count.
 */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  object,
  omit,
  own,
  text,
} from '@kgen/schema/values/json';
import { byText } from '../../common/words.ts';
import { oneLine } from '../../notation/descriptions.ts';
import { normalRoot } from '../../notation/normal.ts';

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

/** Returns a schema whose descriptions are one line each: comments have other line breaks. */
function folded(schema: JsonObject): JsonObject {
  const part = (value: Json): Json => (isObject(value) ? folded(value) : value);
  return mapped(schema, (key, value) => {
    if (key === 'description' && typeof value === 'string') return oneLine(value);
    if (key === 'properties' && isObject(value)) return mapped(value, (_, item) => part(item));
    return key === 'items' || key === 'additionalProperties' ? part(value) : value;
  });
}

/** Returns an object without empty members. */
function filled(value: JsonObject): JsonObject {
  return mapped(value, (_, item) => (isEmpty(item) ? undefined : item));
}

function isEmpty(value: Json): boolean {
  if (isArray(value)) return value.length === 0;
  return value === '' || value === false || (isObject(value) && Object.keys(value).length === 0);
}
