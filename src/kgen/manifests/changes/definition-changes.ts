/** Changes of a CustomResourceDefinition, by the rules of API servers for updates of definitions. */
import { isDeepStrictEqual } from 'node:util';
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
import type { JsonPath } from '../../input/crd/crd-input.ts';
import { type DefinitionChange, sortChanges } from './change.ts';
import { schemaChanges } from './schema-changes.ts';

/** A change without the name of its definition. */
type Found = Omit<DefinitionChange, 'definition'>;

/**
 * Returns the changes from one CustomResourceDefinition of `apiextensions.k8s.io/v1` to another. Pure
 * additions, such as optional fields, are not reported. The `status` of the old one is read for the versions
 * in which objects are stored; without a status these are all of its versions.
 * @param before `undefined` if the definition is new, which changes nothing
 * @param after `undefined` if it is removed
 */
export function definitionChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): readonly DefinitionChange[] {
  if (before === undefined) return [];
  const definition = text(before, 'metadata', 'name');
  if (after === undefined) return [{ definition, ...definitionRemoved }];
  const pair: Pair = { before, after };
  const found = [...definitionRules.flatMap((rule) => rule(pair)), ...versionChanges(pair)];
  return sortChanges(found.map((change) => ({ definition, ...change })));
}

const definitionRemoved: Found = {
  ...{
    rule: 'definition-removed',
    path: [],
    isRemoved: true,
    field: '',
    stored: 'drops data',
    clients: 'breaks',
  },
  reason: 'its objects are deleted with it: keep the definition until they are not needed',
};

interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

type Rule = (pair: Pair) => readonly Found[];

type Effects = Pick<DefinitionChange, 'stored' | 'clients' | 'reason'>;

const fixed: Effects = {
  ...{ stored: 'breaks', clients: 'breaks' },
  reason: 'API servers refuse the change: keep it, or create another definition and copy the objects',
};

const kindOf = (spec: JsonObject): string => text(spec, 'names', 'kind');

const definitionRules: readonly Rule[] = [
  changeOf('group-changed', ['group'], fixed),
  changeOf('scope-changed', ['scope'], fixed),
  changeOf('kind-changed', ['names', 'kind'], fixed),
  changeOf('plural-changed', ['names', 'plural'], fixed),
  changeOf(
    'list-kind-changed',
    ['names', 'listKind'],
    { stored: 'none', clients: 'breaks', reason: 'programs read lists of another kind: keep the name' },
    (spec) => `${kindOf(spec)}List`,
  ),
  changeOf(
    'singular-changed',
    ['names', 'singular'],
    { stored: 'none', clients: 'breaks', reason: 'commands name the resource by it: keep the name' },
    (spec) => kindOf(spec).toLowerCase(),
  ),
  lossOf('short-name-removed', ['names', 'shortNames'], 'commands name the resource by it: keep the name'),
  lossOf('category-removed', ['names', 'categories'], 'commands list the resource by it: keep the category'),
  ({ before, after }) =>
    at(before, 'spec', 'preserveUnknownFields') === true &&
    at(after, 'spec', 'preserveUnknownFields') !== true
      ? [
          {
            ...{
              rule: 'unknown-fields-dropped',
              path: ['spec', 'preserveUnknownFields'],
              isRemoved: true,
              field: '',
            },
            ...{ before: true, stored: 'drops data', clients: 'breaks' },
            reason: 'fields without a schema are dropped: describe those that objects have',
          },
        ]
      : [],
  conversionRule,
  storageRule,
];

/** Creates the rule for a value of `spec` whose change has the same effects, whatever it is. */
function changeOf(
  rule: string,
  keys: readonly string[],
  effects: Effects,
  absent?: (spec: JsonObject) => Json,
): Rule {
  return ({ before, after }) => {
    const value = (crd: JsonObject): Json | undefined =>
      at(crd, 'spec', ...keys) ?? absent?.(object(crd, 'spec'));
    const [was, is] = [value(before), value(after)];
    if (isDeepStrictEqual(was, is)) return [];
    const values = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    return [{ rule, path: ['spec', ...keys], field: '', ...values, ...effects }];
  };
}

/** Creates the rule for a list of `spec` from which programs or users may use each item. */
function lossOf(rule: string, keys: readonly string[], reason: string): Rule {
  return ({ before, after }) => {
    const left = strings(after, 'spec', ...keys);
    const lost = strings(before, 'spec', ...keys).filter((item) => !left.includes(item));
    if (lost.length === 0) return [];
    return [
      {
        ...{ rule, path: ['spec', ...keys], isRemoved: true, field: '', before: lost },
        ...{ stored: 'none', clients: 'breaks', reason },
      },
    ];
  };
}

function conversionRule({ before, after }: Pair): readonly Found[] {
  const [was, is] = [strategyOf(before), strategyOf(after)];
  if (was === is) return [];
  const isLost = is === 'None' && array(before, 'spec', 'versions').length > 1;
  return [
    {
      ...{
        rule: 'conversion-changed',
        path: ['spec', 'conversion', 'strategy'],
        field: '',
        before: was,
        after: is,
      },
      ...{ stored: isLost ? 'drops data' : 'none', clients: isLost ? 'breaks' : 'none' },
      reason: isLost
        ? 'objects of other versions are not converted any more, and lose fields that a version lacks: keep the webhook'
        : 'each request for another version calls the webhook: it has to be available before the definition changes',
    },
  ];
}

/** Returns how objects are converted: `None` or `Webhook`. */
export function strategyOf(crd: JsonObject): string {
  return text(crd, 'spec', 'conversion', 'strategy') || 'None';
}

function storageRule({ before, after }: Pair): readonly Found[] {
  const [was, is] = [before, after].map((crd) =>
    versionsOf(crd).find(({ json }) => own(json, 'storage') === true),
  );
  if (was === undefined || is === undefined || was.name === is.name) return [];
  return [
    {
      ...{ rule: 'storage-version-changed', path: [...is.path, 'storage'], version: is.name, field: '' },
      ...{ before: was.name, after: is.name, stored: 'none', clients: 'none' },
      reason: `objects stay stored in ${was.name} until they are written again: keep that version until status.storedVersions lacks it`,
    },
  ];
}

/** A version with its position. */
export interface Version {
  readonly name: string;
  readonly json: JsonObject;
  readonly path: JsonPath;
}

/** Returns the versions of a definition. */
export function versionsOf(crd: JsonObject): readonly Version[] {
  return array(crd, 'spec', 'versions').flatMap((json, index) =>
    isObject(json) ? [{ name: text(json, 'name'), json, path: ['spec', 'versions', index] }] : [],
  );
}

/** Returns the schema of a version. */
export function schemaOf(version: Version): JsonObject {
  return object(version.json, 'schema', 'openAPIV3Schema');
}

function versionChanges({ before, after }: Pair): readonly Found[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const storage = old.find(({ json }) => own(json, 'storage') === true);
  const removed = old
    .filter(({ name }) => !now.some((other) => other.name === name))
    .flatMap((version) => versionRemoved(version, before));
  const kept = now.flatMap((version) => {
    const known = old.find(({ name }) => name === version.name);
    if (known !== undefined) return changesOfVersion(known, version);
    // Objects of the storage version are read in the new one. A webhook may change them.
    if (storage === undefined || strategyOf(after) !== 'None') return [];
    return changesOfSchema(storage, version)
      .filter(({ stored }) => stored !== 'none')
      .map(withoutClients);
  });
  return [...removed, ...kept];
}

function withoutClients(change: Found): Found {
  return { ...change, clients: 'none' };
}

function versionRemoved({ name, json, path }: Version, before: JsonObject): readonly Found[] {
  const stored = at(before, 'status', 'storedVersions');
  const isStored = stored === undefined || strings(before, 'status', 'storedVersions').includes(name);
  return [
    {
      ...{
        rule: isStored ? 'stored-version-removed' : 'version-removed',
        path,
        isRemoved: true,
        version: name,
      },
      ...{ field: '', stored: isStored ? 'breaks' : 'none' },
      clients: own(json, 'served') === true ? 'breaks' : 'none',
      reason: isStored
        ? 'API servers refuse the change while status.storedVersions has the version: write all objects in another version, and remove it there first'
        : 'requests for the version fail: deprecate it, and stop serving it, before it is removed',
    },
  ];
}

function changesOfVersion(before: Version, after: Version): readonly Found[] {
  const [wasServed, isServed] = [before, after].map(({ json }) => own(json, 'served') === true);
  const unserved: Found = {
    ...{ rule: 'version-unserved', path: [...after.path, 'served'], version: after.name, field: '' },
    ...{ before: true, after: false, stored: 'none', clients: 'breaks' },
    reason: 'requests for the version fail: deprecate it until no program uses it',
  };
  const found = [
    ...(wasServed && !isServed ? [unserved] : []),
    ...changesOfSchema(before, after),
    ...statusChanges(before, after),
    ...scaleChanges(before, after),
    ...['selectableFields', 'additionalPrinterColumns'].flatMap((list) => lostItems(list, before, after)),
  ];
  return wasServed ? found : found.map(withoutClients);
}

function changesOfSchema(before: Version, after: Version): readonly Found[] {
  const steps = ['schema', 'openAPIV3Schema'];
  return schemaChanges(schemaOf(before), schemaOf(after)).map((change) => {
    const { path } = change.isRemoved === true ? before : after;
    return { ...change, version: after.name, path: [...path, ...steps, ...change.path] };
  });
}

function statusChanges(before: Version, after: Version): readonly Found[] {
  const [was, is] = [before, after].map(({ json }) => at(json, 'subresources', 'status') !== undefined);
  if (was === is) return [];
  const { required, rules } = parseSchema(schemaOf(after));
  const isRefused = is === true && (required.includes('status') || rules.length > 0);
  const path = [...(is === true ? after : before).path, 'subresources', 'status'];
  return [
    {
      ...{
        rule: is === true ? 'status-added' : 'status-removed',
        path,
        version: after.name,
        field: '.status',
      },
      ...{
        ...(is !== true && { isRemoved: true }),
        stored: isRefused ? 'breaks' : 'none',
        clients: 'breaks',
      },
      reason:
        is === true
          ? 'writes of the resource ignore the status: programs have to write the subresource'
          : 'requests for the subresource fail: keep it, or remove it in a new version',
    },
  ];
}

function scaleChanges(before: Version, after: Version): readonly Found[] {
  const [was, is] = [before, after].map(({ json }) => at(json, 'subresources', 'scale'));
  if (isDeepStrictEqual(was, is)) return [];
  const path = [...(is === undefined ? before : after).path, 'subresources', 'scale'];
  const values = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
  const isUnlimited = ['specReplicasPath', 'statusReplicasPath'].some((key) => {
    const isNew = is !== undefined && text(was, key) !== text(is, key);
    return isNew && !isReplicas(parseSchema(schemaOf(after)), text(is, key));
  });
  return [
    {
      rule: was === undefined ? 'scale-added' : is === undefined ? 'scale-removed' : 'scale-changed',
      ...{
        path,
        version: after.name,
        field: '',
        ...values,
        ...(is === undefined && { isRemoved: true as const }),
      },
      ...{ stored: isUnlimited ? 'breaks' : 'none', clients: was === undefined ? 'none' : 'breaks' },
      reason: isUnlimited
        ? 'objects whose number of replicas is negative, or no int32, are refused: limit the field first'
        : 'autoscalers and programs use the subresource: keep it, or change it in a new version',
    },
  ];
}

/** Returns whether every number that a schema accepts at a path is a number of replicas. */
function isReplicas(schema: Schema, path: string): boolean {
  const steps = path.split('.').filter((step) => step !== '');
  const field = steps.reduce<Schema | undefined>((node, step) => node?.properties.get(step), schema);
  if (field === undefined) return false;
  const isSmall = field.format === 'int32' || (field.maximum ?? Number.POSITIVE_INFINITY) < 2 ** 31;
  return field.type === 'integer' && (field.minimum ?? -1) >= 0 && isSmall;
}

function lostItems(list: string, before: Version, after: Version): readonly Found[] {
  const isColumn = list === 'additionalPrinterColumns';
  const keyOf = (item: Json): string => text(item, isColumn ? 'name' : 'jsonPath');
  const left = array(after.json, list).map(keyOf);
  return array(before.json, list).flatMap((item, index): readonly Found[] => {
    if (left.includes(keyOf(item))) return [];
    return [
      {
        ...{
          rule: isColumn ? 'column-removed' : 'selectable-field-removed',
          path: [...before.path, list, index],
        },
        ...{ isRemoved: true, version: after.name, field: text(item, 'jsonPath'), before: keyOf(item) },
        ...{ stored: 'none', clients: 'breaks' },
        reason: isColumn
          ? 'scripts read the column of tables: keep it, with a priority of 1 to hide it'
          : 'field selectors with the field are refused: keep it, or remove it in a new version',
      },
    ];
  });
}
