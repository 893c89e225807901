/** Decoding, defaults and validation of built-in kinds. */
import type { FieldError } from '@kgen/runtime/objects';
import { equal, type JsonObject, object, omit, own, putAt, replace, text } from '@kgen/schema/values/json';
import { rulesOf } from '../kinds/all.ts';
import { checkQuotas } from '../kinds/limits/quota.ts';
import { valid } from '../kinds/support/checks.ts';
import { pathSegmentProblem } from '../kinds/support/names.ts';
import type { Cluster, KindRules } from '../kinds/support/rules.ts';
import { validateFinalizers, validateMetadata, validateMetadataUpdate } from '../metadata.ts';
import { bumpGeneration, keepStatus, type Strategy } from '../strategy.ts';
import type { ResourceType } from '../type.ts';
import { fromStored, hasOwnForm, toStored } from './convert.ts';
import { decodeGo, normalizeGo } from './go-decode.ts';
import { withoutEmptyLists } from './go-empty.ts';

const strategies = new WeakMap<ResourceType, Strategy>();

/** Returns the strategy of a built-in kind: the generic behaviour with the rules of the kind. */
export function builtInStrategy(type: ResourceType): Strategy {
  const known = strategies.get(type);
  if (known !== undefined) return known;
  const strategy = createStrategy(rulesOf(type.storage));
  strategies.set(type, strategy);
  return strategy;
}

function createStrategy(rules: KindRules): Strategy {
  return {
    unconditionalUpdate: rules.unconditionalUpdate ?? true,
    createOnUpdate: rules.createOnUpdate ?? false,
    admit: (value, old, type, cluster) =>
      inStoredForm(value, type, (stored) => rules.admit?.(stored, asStored(old, type), cluster) ?? stored),
    checkQuotas: (value, old, type, cluster) => {
      if (type.namespaced) checkQuotas(toStored(value, type), asStored(old, type), type, cluster);
    },
    prepareCreate: (value, type, cluster) =>
      inStoredForm(plain(value, type), type, (stored) => prepareCreate(stored, type, rules, cluster)),
    prepareUpdate: (value, old, type, subresource, cluster) =>
      inStoredForm(plain(value, type), type, (stored) =>
        prepareUpdate(stored, toStored(old, type), type, subresource, rules, cluster),
      ),
    validate: (value, old, type, subresource, cluster) =>
      validate(toStored(value, type), asStored(old, type), type, subresource, rules, cluster),
    warnings: (value, old) => rules.warnings?.(value, old) ?? [],
  };
}

function plain(value: JsonObject, { goStruct }: ResourceType): JsonObject {
  return goStruct === undefined ? value : withoutEmptyLists(value, goStruct);
}

function asStored(old: JsonObject | undefined, type: ResourceType): JsonObject | undefined {
  return old === undefined ? undefined : toStored(old, type);
}

/** Rules are written for the stored form, as the API server has them for its internal version. */
function inStoredForm(
  value: JsonObject,
  type: ResourceType,
  change: (stored: JsonObject) => JsonObject,
): JsonObject {
  return fromStored(change(toStored(value, type)), type);
}

/** An object in its normal form with its defaults, and its unknown fields. */
interface Shaped {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Decodes an object, converts members that are only written, and applies the defaults of its version.
 * @throws {Failure} 400 for a value of the wrong type
 */
export function shapeBuiltIn(value: JsonObject, type: ResourceType): Shaped {
  if (type.goStruct === undefined) return { value, unknown: [] };
  const subject = `${type.kind} in version ${JSON.stringify(type.version)}`;
  const { value: decoded, unknown } = decodeGo(value, type.goStruct, subject);
  const { writeOnly, defaults } = rulesOf(type.storage);
  const converted = writeOnly?.(decoded) ?? decoded;
  return { value: defaults === undefined ? converted : inStoredForm(converted, type, defaults), unknown };
}

const emptyObjects = new WeakMap<ResourceType, JsonObject>();

/**
 * Returns an object of a built-in kind in which nothing is set: members that its Go type always writes. They
 * have no manager, because a new object has them before a client sets anything.
 */
export function emptyObject(type: ResourceType): JsonObject | undefined {
  if (type.strategy === 'definition') return emptyDefinition;
  if (type.goStruct === undefined) return undefined;
  const known = emptyObjects.get(type);
  if (known !== undefined) return known;
  const empty = normalizeGo({}, type.goStruct);
  emptyObjects.set(type, empty);
  return empty;
}

const noNames = { plural: '', kind: '' };

/** A CustomResourceDefinition in which nothing is set. */
const emptyDefinition: JsonObject = {
  metadata: {},
  spec: { group: '', names: noNames, scope: '', versions: null },
  status: { conditions: null, acceptedNames: noNames, storedVersions: null },
};

function prepareCreate(
  value: JsonObject,
  type: ResourceType,
  rules: KindRules,
  cluster: Cluster,
): JsonObject {
  const reset = rules.keepsStatus
    ? value
    : { ...omit(value, 'status'), ...(hasOwnForm(type) ? {} : zeroStatus(type)) };
  const plain = rules.generation ? putAt(reset, ['metadata', 'generation'], 1) : reset;
  return rules.create?.(plain, cluster) ?? plain;
}

/** Returns the status of a new object: the zero value of its Go type, which some kinds write with zeros. */
function zeroStatus(type: ResourceType): JsonObject {
  const status = own(emptyObject(type), 'status');
  return status === undefined ? {} : { status };
}

function prepareUpdate(
  value: JsonObject,
  old: JsonObject,
  type: ResourceType,
  subresource: string,
  rules: KindRules,
  cluster: Cluster,
): JsonObject {
  if (subresource === 'status' && type.status) {
    const next = withStatusOf(value, old, rules.statusKeeps ?? []);
    return rules.updateStatus?.(next, old, cluster) ?? next;
  }
  if (subresource !== '' && subresource !== 'scale') {
    return rules.updatePart?.(value, old, subresource, cluster) ?? value;
  }
  const kept = type.status || own(old, 'status') !== undefined ? keepStatus(value, old) : value;
  const changed = rules.update?.(kept, old, cluster) ?? kept;
  if (!rules.generation) return changed;
  const { counted } = rules;
  const isNoted =
    rules.counts?.(value) === true ||
    (counted !== undefined && !equal(object(value, 'metadata', counted), object(old, 'metadata', counted)));
  const next = bumpGeneration(changed, old, 'status', ...(rules.ungenerated ?? []));
  const generation = own(object(old, 'metadata'), 'generation');
  return isNoted && typeof generation === 'number'
    ? putAt(next, ['metadata', 'generation'], generation + 1)
    : next;
}

/** An update of the status also changes metadata, apart from members that some kinds keep. */
function withStatusOf(value: JsonObject, old: JsonObject, kept: readonly string[]): JsonObject {
  const status = own(value, 'status');
  const before = object(old, 'metadata');
  const metadata = kept.reduce(
    (result, key) => {
      const item = own(before, key);
      return item === undefined ? omit(result, key) : replace(result, key, item);
    },
    object(value, 'metadata'),
  );
  return { ...omit(old, 'status'), metadata, ...(status === undefined ? {} : { status }) };
}

/** Kinds with any finalizers. */
const unqualified: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'events',
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
]);

function validate(
  value: JsonObject,
  old: JsonObject | undefined,
  type: ResourceType,
  subresource: string,
  rules: KindRules,
  cluster: Cluster,
): readonly FieldError[] {
  const isLater = old === undefined && rules.metadataLast === true;
  const metadata = [
    ...validateMetadata(value, type.namespaced, rules.name ?? 'subdomain'),
    ...(old === undefined ? [] : validateMetadataUpdate(value, old)),
    ...(unqualified.has(type.storage) ? [] : validateFinalizers(value)),
  ];
  const write = { value, old, subresource, apiVersion: type.apiVersion };
  if (subresource === 'status')
    return [
      ...metadata,
      ...(rules.checkStatus?.(value, '') ?? []),
      ...(old === undefined ? [] : (rules.checkStatusUpdate?.({ ...write, old }) ?? [])),
    ];
  const errors = [
    ...(isLater ? [] : metadata),
    ...(rules.check?.(value, '') ?? []),
    ...(rules.checkWrite?.(write) ?? []),
    ...(old === undefined ? [] : (rules.checkUpdate?.({ ...write, old }) ?? [])),
    ...(metadata.length > 0 ? [] : (rules.checkCluster?.(write, cluster) ?? [])),
  ];
  if (old !== undefined || errors.length > 0) return errors;
  return isLater ? metadata : segmentErrors(text(value, 'metadata', 'name'));
}

/** Returns the error of a name that cannot be part of a path, whatever names a kind has. */
function segmentErrors(name: string): readonly FieldError[] {
  return valid(pathSegmentProblem)(name, 'metadata.name');
}
