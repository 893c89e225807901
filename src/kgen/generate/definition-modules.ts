/** `definitions.ts` of a group: its CustomResourceDefinitions as values for installation. */

import { listAt, objectAt } from '@kgen/schema/rules/places';
import { byText } from '../common/words.ts';
import type { EmitOptions } from '../emit/options.ts';
import { objectText } from '../emit/schemas-file.ts';
import { comment } from '../emit/text/docs.ts';
import { Module } from '../emit/text/module.ts';
import { groupFolder, runtimeSpecifier } from '../emit/text/paths.ts';
import { header } from '../emit/tree.ts';
import type { CrdDefinition, CrdVersion } from '../input/crd/crd.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import type { Model } from '../model/ir.ts';
import { kindTypeName } from '../model/names/casing.ts';
import { publishedSchema } from '../model/schema/published-schema.ts';

/**
 * Returns the files with the definitions of the model's custom resources, by group. Definitions of
 * apiextensions v1beta1, which no API server accepts, are left out.
 */
export function definitionModules(
  model: Model,
  crds: readonly CrdDefinition[],
  options: EmitOptions,
): readonly (readonly [path: string, text: string])[] {
  const selected = new Set(model.groupVersions.flatMap(({ crds: names }) => names));
  const written = crds.filter(
    ({ name, input }) => selected.has(name) && own(input.value, 'apiVersion') === 'apiextensions.k8s.io/v1',
  );
  const groups = new Set(written.map(({ group }) => group));
  return [...groups].flatMap((group): readonly (readonly [path: string, text: string])[] => {
    const members = written.filter((crd) => crd.group === group).sort((a, b) => byText(a.name, b.name));
    const names = members.map(({ name }) => name);
    const printed = moduleOf(members, options).print(header({ crds: names }, options));
    const path = `${groupFolder(group)}/definitions`;
    if (options.emit === 'ts') return [[`${path}.ts`, printed.ts]];
    return [
      [`${path}.d.ts`, printed.dts],
      [`${path}.js`, printed.js ?? ''],
    ];
  });
}

function moduleOf(crds: readonly CrdDefinition[], options: EmitOptions): Module {
  const names = crds.map(constantOf);
  const module = new Module(runtimeSpecifier(options, 1), names);
  for (const [index, crd] of crds.entries()) {
    module.constant({
      docs: comment([`Definition of ${crd.names.kind}, to be installed.`], [], ''),
      name: names[index] ?? '',
      type: module.runtimeType('CustomResourceDefinition'),
      value: objectText(definitionOf(crd), ''),
    });
  }
  return module;
}

/** Returns `redisClusterDefinition` for the kind `RedisCluster`. */
function constantOf({ names }: CrdDefinition): string {
  const type = kindTypeName(names.kind);
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}Definition`;
}

function definitionOf({ name, group, names, scope, versions, input }: CrdDefinition): JsonObject {
  const { shortNames, categories, ...others } = names;
  const metadata = objectAt(input.value, 'metadata');
  const conversion = pick(objectAt(objectAt(input.value, 'spec'), 'conversion'), conversionKeys);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, ...texts('annotations', metadata), ...texts('labels', metadata) },
    spec: {
      group,
      names: {
        ...others,
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      scope,
      ...(typeof conversion['strategy'] === 'string' && { conversion }),
      versions: versions.map((version) => versionOf(version, version.input?.value ?? input.value)),
    },
  };
}

function versionOf(version: CrdVersion, document: JsonObject): JsonObject {
  const { name, served, storage, deprecated, deprecationWarning, schema, selectableFields } = version;
  const versions = listAt(objectAt(document, 'spec'), 'versions');
  const found = versions.find((one) => isObject(one) && own(one, 'name') === name);
  const given = isObject(found) ? found : undefined;
  const additionalPrinterColumns = listAt(given, 'additionalPrinterColumns').flatMap((one) =>
    isObject(one) ? [pick(one, columnKeys)] : [],
  );
  const subresources = pick(objectAt(given, 'subresources'), subresourceKeys);
  return {
    name,
    served,
    storage,
    ...(deprecated && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    ...(additionalPrinterColumns.length > 0 && { additionalPrinterColumns }),
    ...(selectableFields.length > 0 && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
    ...(Object.keys(subresources).length > 0 && { subresources }),
    schema: { openAPIV3Schema: structural(publishedSchema(schema ?? {})) },
  };
}

/** Members to copy, with those of objects among them. */
interface Keys {
  readonly [key: string]: true | Keys;
}

const columnKeys: Keys = {
  description: true,
  format: true,
  jsonPath: true,
  name: true,
  priority: true,
  type: true,
};
const subresourceKeys: Keys = {
  scale: { labelSelectorPath: true, specReplicasPath: true, statusReplicasPath: true },
  status: {},
};
const conversionKeys: Keys = {
  strategy: true,
  webhook: {
    clientConfig: {
      caBundle: true,
      service: { name: true, namespace: true, path: true, port: true },
      url: true,
    },
    conversionReviewVersions: true,
  },
};

function pick(object: JsonObject | undefined, keys: Keys): JsonObject {
  if (object === undefined) return {};
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, below]) => {
      const value = own(object, key);
      if (value === undefined) return [];
      if (below === true) return [[key, value]];
      return isObject(value) ? [[key, pick(value, below)]] : [];
    }),
  );
}

/** Returns annotations or labels, without those that clients of definitions maintain. */
function texts(key: string, metadata: JsonObject | undefined): JsonObject {
  const entries = Object.entries(objectAt(metadata, key) ?? {}).filter(
    ([name, value]) =>
      typeof value === 'string' && name !== 'kubectl.kubernetes.io/last-applied-configuration',
  );
  return entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };
}

/** Keywords with one schema or a list of schemas. */
const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'allOf',
  'anyOf',
  'items',
  'not',
  'oneOf',
]);

/** Other keywords of structural schemas. */
const keywords: ReadonlySet<string> = new Set([
  ...['default', 'enum', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maxItems', 'maxLength'],
  ...[
    'maxProperties',
    'maximum',
    'minItems',
    'minLength',
    'minProperties',
    'minimum',
    'multipleOf',
    'nullable',
  ],
  ...['pattern', 'required', 'type'],
]);

/** Returns a schema without keywords that no API server accepts. `publishedSchema` has limited its depth. */
function structural(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): (readonly [string, JsonValue])[] => {
      if (keyword === 'properties' && isObject(value)) {
        const members = Object.entries(value).map(([name, one]) => [
          name,
          isObject(one) ? structural(one) : {},
        ]);
        return [[keyword, Object.fromEntries(members)]];
      }
      if (schemaKeywords.has(keyword)) return [[keyword, structuralParts(value)]];
      const isKnown = keywords.has(keyword) || keyword.startsWith('x-kubernetes-');
      return isKnown ? [[keyword, typeof value === 'bigint' ? Number(value) : value]] : [];
    }),
  );
}

function structuralParts(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(structuralParts);
  return isObject(value) ? structural(value) : value;
}
