/** Types that CustomResourceDefinitions define, one for each served version. */

import { compareVersions } from '@kgen/schema/definitions/version-order';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import {
  array,
  at,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { WebhookClient } from '../../webhooks/client.ts';
import { type ConvertObject, webhookConversion } from '../../webhooks/conversion.ts';
import { apiVersionOf, type ResourceType, type ScalePaths } from '../type.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** Returns the conversion of objects by the webhook of a definition, if it has one. */
export function conversionOf(crd: JsonObject, client: WebhookClient): ConvertObject | undefined {
  const conversion = object(crd, 'spec', 'conversion');
  if (text(conversion, 'strategy') !== 'Webhook') return undefined;
  return webhookConversion(client, own(conversion, 'webhook'));
}

/** Returns the served versions of a CustomResourceDefinition, in its order, without its conversion. */
export function typesOf(crd: JsonObject): readonly ResourceType[] {
  const versions = array(crd, 'spec', 'versions').filter(isObject);
  const group = text(crd, 'spec', 'group');
  const schemas = new Map(
    versions.flatMap((version): [string, Schema][] => {
      const schema = schemaOf(version);
      return schema === undefined ? [] : [[apiVersionOf(group, text(version, 'name')), schema]];
    }),
  );
  return versions
    .filter((version) => own(version, 'served') === true)
    .map((version) => ({ ...typeOf(crd, version, schemas), schemas }));
}

function schemaOf(version: JsonObject): Schema | undefined {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  return isObject(schema) ? parseSchema(schema) : undefined;
}

function typeOf(crd: JsonObject, version: JsonObject, schemas: ReadonlyMap<string, Schema>): ResourceType {
  const spec = object(crd, 'spec');
  const names = object(spec, 'names');
  const [group, name, plural, kind] = [
    text(spec, 'group'),
    text(version, 'name'),
    text(names, 'plural'),
    text(names, 'kind'),
  ];
  const apiVersion = apiVersionOf(group, name);
  const storageApiVersion = apiVersionOf(group, storageVersion(crd));
  return {
    group,
    version: name,
    apiVersion,
    plural,
    singular: text(names, 'singular') || kind.toLowerCase(),
    kind,
    listKind: text(names, 'listKind') || `${kind}List`,
    shortNames: strings(names, 'shortNames'),
    categories: strings(names, 'categories'),
    namespaced: own(spec, 'scope') === 'Namespaced',
    storage: `${plural}.${group}`,
    storageApiVersion,
    schema: schemas.get(apiVersion),
    storageSchema: schemas.get(storageApiVersion),
    status: isObject(at(version, 'subresources', 'status')),
    scale: scalePaths(at(version, 'subresources', 'scale')),
    selectable: array(version, 'selectableFields').map((field) => text(field, 'jsonPath').replace(/^\./, '')),
    deprecation: deprecation(crd, version, name, kind),
    strategy: 'custom',
    verbs: verbs,
  };
}

/** Returns the name of the storage version. */
export function storageVersion(crd: JsonObject): string {
  return text(
    array(crd, 'spec', 'versions').find((version) => own(version, 'storage') === true),
    'name',
  );
}

function scalePaths(scale: Json | undefined): ScalePaths | undefined {
  if (!isObject(scale)) return undefined;
  const selector = text(scale, 'labelSelectorPath');
  return {
    specReplicas: pathKeys(text(scale, 'specReplicasPath')),
    statusReplicas: pathKeys(text(scale, 'statusReplicasPath')),
    ...(selector === '' ? {} : { labelSelector: pathKeys(selector) }),
  };
}

function pathKeys(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

function deprecation(crd: JsonObject, version: JsonObject, name: string, kind: string): string | undefined {
  if (own(version, 'deprecated') !== true) return undefined;
  const group = text(crd, 'spec', 'group');
  const better = array(crd, 'spec', 'versions')
    .filter((other) => own(other, 'served') === true && own(other, 'deprecated') !== true)
    .map((other) => text(other, 'name'))
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions)[0];
  const use = better === undefined ? '' : `; use ${group}/${better} ${kind}`;
  return text(version, 'deprecationWarning') || `${group}/${name} ${kind} is deprecated${use}`;
}
