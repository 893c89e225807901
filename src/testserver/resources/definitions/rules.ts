/** Validation of CustomResourceDefinitions. */
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@kgen/schema/errors/field-error';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { labelProblem, subdomainProblem } from '@kgen/schema/values/names';
import { clientConfigErrors } from '../../webhooks/client-config.ts';
import { validateStructure } from '../structure.ts';
import { isEstablished } from './definition.ts';

/** Returns the errors in the spec of a CustomResourceDefinition. */
export function validateDefinition(value: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const spec = object(value, 'spec');
  return [
    ...nameErrors(value, spec),
    ...groupErrors(text(spec, 'group')),
    ...scopeErrors(text(spec, 'scope')),
    ...versionErrors(array(spec, 'versions')),
    ...namesErrors(object(spec, 'names')),
    ...conversionErrors(object(spec, 'conversion')),
    ...storedVersionErrors(value),
    ...(old === undefined || !isEstablished(old) ? [] : immutableErrors(spec, object(old, 'spec'))),
  ];
}

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

function versionErrors(versions: readonly Json[]): readonly FieldError[] {
  const names = versions.map((version) => text(version, 'name'));
  const storage = versions.filter((version) => own(version, 'storage') === true).length;
  const [first, ...rest] = versions.map((version) => own(version, 'schema'));
  const shared = rest.every((schema) => equal(schema, first));
  return [
    ...versions.flatMap((version, index) => oneVersion(version, `spec.versions[${index}]`, shared)),
    ...(new Set(names).size === names.length
      ? []
      : [invalidValue('spec.versions', versions, 'must contain unique version names')]),
    ...(storage === 1
      ? []
      : [invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version')]),
  ];
}

/**
 * @param shared whether all versions have the same schema: the server then reports it as `spec.validation`
 */
function oneVersion(version: Json, path: string, shared: boolean): readonly FieldError[] {
  const name = text(version, 'name');
  const problem = labelProblem(name);
  const schema = own(own(version, 'schema'), 'openAPIV3Schema');
  return [
    ...(problem === undefined ? [] : [invalidValue(`${path}.name`, name, problem)]),
    ...(isObject(schema)
      ? validateStructure(
          schema,
          shared ? 'spec.validation.openAPIV3Schema' : `${path}.schema.openAPIV3Schema`,
          isObject(own(own(version, 'subresources'), 'status')),
        )
      : [required(`${path}.schema.openAPIV3Schema`, 'schemas are required')]),
    ...scaleErrors(own(own(version, 'subresources'), 'scale'), `${path}.subresources.scale`),
  ];
}

function scaleErrors(scale: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(scale)) return [];
  return (['spec', 'status'] as const).flatMap((root) => {
    const key = `${root}ReplicasPath`;
    const value = text(scale, key);
    if (value === '') return [required(`${path}.${key}`)];
    return value.startsWith(`.${root}.`)
      ? []
      : [invalidValue(`${path}.${key}`, value, `should be a json path under .${root}`)];
  });
}

function namesErrors(names: JsonObject): readonly FieldError[] {
  const label = (key: string): readonly FieldError[] => {
    const value = text(names, key);
    const problem = labelProblem(value.toLowerCase());
    if (value === '') return [required(`spec.names.${key}`)];
    return problem === undefined ? [] : [invalidValue(`spec.names.${key}`, value, problem)];
  };
  const same = text(names, 'kind') === text(names, 'listKind');
  return [
    ...['plural', 'singular', 'kind', 'listKind'].flatMap(label),
    ...(same
      ? [
          invalidValue(
            'spec.names.listKind',
            text(names, 'listKind'),
            'kind and listKind may not be the same',
          ),
        ]
      : []),
  ];
}

function conversionErrors(conversion: JsonObject): readonly FieldError[] {
  const strategy = text(conversion, 'strategy');
  const path = 'spec.conversion';
  const webhook = own(conversion, 'webhook');
  const config = own(webhook, 'clientConfig');
  const versions = strings(webhook, 'conversionReviewVersions');
  if (strategy === 'Webhook')
    return [
      ...(isObject(config)
        ? clientConfigErrors(config, `${path}.webhookClientConfig`)
        : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
      ...reviewVersionErrors(versions, `${path}.conversionReviewVersions`),
    ];
  return [
    ...(strategy === 'None' ? [] : [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])]),
    ...(isObject(config)
      ? [
          forbiddenField(
            `${path}.webhookClientConfig`,
            'should not be set when strategy is not set to Webhook',
          ),
        ]
      : []),
    ...(versions.length > 0
      ? [
          forbiddenField(
            `${path}.conversionReviewVersions`,
            'should not be set when strategy is not set to Webhook',
          ),
        ]
      : []),
  ];
}

function reviewVersionErrors(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const duplicates = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
      : [],
  );
  const isRecognized = versions.some((version) => version === 'v1' || version === 'v1beta1');
  return isRecognized
    ? duplicates
    : [...duplicates, invalidValue(path, versions, 'must include at least one of v1, v1beta1')];
}

/** Versions in which objects may be stored have to remain. */
function storedVersionErrors(value: JsonObject): readonly FieldError[] {
  const path = 'status.storedVersions';
  const stored = strings(value, 'status', 'storedVersions');
  if (own(value, 'status') === undefined) return [];
  if (stored.length === 0) return [invalidValue(path, stored, 'must have at least one stored version')];
  const versions = array(value, 'spec', 'versions');
  const names = versions.map((version) => text(version, 'name'));
  return [
    ...versions
      .filter((version) => own(version, 'storage') === true && !stored.includes(text(version, 'name')))
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

const immutable: readonly (readonly [path: string, ...keys: string[]])[] = [
  ['spec.scope', 'scope'],
  ['spec.names.kind', 'names', 'kind'],
  ['spec.group', 'group'],
  ['spec.names.plural', 'names', 'plural'],
];

function immutableErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  return immutable.flatMap(([path, ...keys]) => {
    const [value, before] = [text(spec, ...keys), text(old, ...keys)];
    return equal(value, before) ? [] : [invalidValue(path, value, 'field is immutable')];
  });
}
