/** Updates of pods: members that may change, of the object and through its subresources. */
import { type FieldError, forbiddenField, invalidValue } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  replace,
  text,
} from '@kgen/schema/values/json';
import { quantityNanos } from '../../builtin/quantity.ts';
import { duplicate } from '../support/checks.ts';
import type { KindWrite } from '../support/rules.ts';

/** Returns the quality-of-service class of a pod. */
export function qosClass(pod: JsonObject): string {
  const all = ['containers', 'initContainers'].flatMap((key) => array(pod, 'spec', key));
  const read = (item: Json, list: string, name: string): bigint =>
    quantityNanos(String(own(object(item, 'resources', list), name) ?? '0')) ?? 0n;
  const names = ['cpu', 'memory'];
  const isBestEffort = all.every((item) =>
    names.every((name) => read(item, 'requests', name) === 0n && read(item, 'limits', name) === 0n),
  );
  if (isBestEffort) return 'BestEffort';
  const isGuaranteed = all.every((item) =>
    names.every(
      (name) =>
        read(item, 'limits', name) > 0n && read(item, 'limits', name) === read(item, 'requests', name),
    ),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

const changeable = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

const updateDetail =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

/** Returns whether a pod is not scheduled yet because of its gates. */
export function isGated(value: JsonObject): boolean {
  return array(value, 'spec', 'schedulingGates').length > 0;
}

/** Returns the errors of an update. */
export function checkUpdate({
  value,
  old,
  subresource,
}: KindWrite & { readonly old: JsonObject }): readonly FieldError[] {
  if (subresource === 'resize' && qosClass(value) !== qosClass(old)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    return [invalidValue('spec', qosClass(old), detail)];
  }
  if (subresource === 'ephemeralcontainers') return ephemeralErrors(value, old);
  if (subresource !== '') return [];
  const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
  if (array(spec, 'containers').length !== array(before, 'containers').length) {
    return [forbiddenField('spec.containers', 'pod updates may not add or remove containers')];
  }
  if (array(spec, 'initContainers').length !== array(before, 'initContainers').length) {
    return [forbiddenField('spec.initContainers', 'pod updates may not add or remove containers')];
  }
  const tolerations = array(spec, 'tolerations');
  const missing = array(before, 'tolerations').some(
    (item) => !tolerations.some((other) => equal(omitSeconds(item), omitSeconds(other))),
  );
  return [
    ...gateErrors(spec, before),
    ...(missing
      ? [
          forbiddenField(
            'spec.tolerations',
            'existing toleration can not be modified except its tolerationSeconds',
          ),
        ]
      : []),
    ...(isGated(old) ? placementErrors(spec, before) : []),
    ...(equal(fixed(placedAs(spec, before, isGated(old))), fixed(before))
      ? []
      : [forbiddenField('spec', updateDetail)]),
  ];
}

/** Returns the specification with the members of the old one that this update may change. */
function placedAs(spec: JsonObject, before: JsonObject, isGated: boolean): JsonObject {
  const kept = (result: JsonObject, key: string, old = own(before, key)): JsonObject =>
    old === undefined ? omit(result, key) : replace(result, key, old);
  const period = Number(own(before, 'terminationGracePeriodSeconds') ?? 0);
  const isShortened = period < 0 && own(spec, 'terminationGracePeriodSeconds') === 1;
  const timed = isShortened ? kept(spec, 'terminationGracePeriodSeconds') : spec;
  if (!isGated) return timed;
  const { nodeAffinity: _, ...others } = object(timed, 'affinity');
  const old = own(object(before, 'affinity'), 'nodeAffinity');
  const affinity = { ...others, ...(old === undefined ? {} : { nodeAffinity: old }) };
  const isNone = Object.keys(affinity).length === 0;
  return kept(kept(timed, 'nodeSelector'), 'affinity', isNone ? own(before, 'affinity') : affinity);
}

/** Before a pod is scheduled, its node selector and its required terms may only be narrowed. */
function placementErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const labels = object(spec, 'nodeSelector');
  const isNarrowed = Object.entries(object(before, 'nodeSelector')).every(
    ([key, value]) => own(labels, key) === value,
  );
  const [required, old] = [spec, before].map((each) =>
    own(object(each, 'affinity', 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution'),
  );
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  return [
    ...(isNarrowed
      ? []
      : [
          invalidValue(
            'spec.nodeSelector',
            labels,
            'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
          ),
        ]),
    ...termErrors(required, array(old, 'nodeSelectorTerms'), path),
  ];
}

function termErrors(
  required: Json | undefined,
  before: readonly Json[],
  path: string,
): readonly FieldError[] {
  const terms = array(required, 'nodeSelectorTerms');
  if (before.length === 0) return [];
  if (before.length !== terms.length)
    return [
      invalidValue(
        path,
        required === undefined ? null : terms.map(printTerm),
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  const detail = 'only additions are allowed (no mutations or deletions)';
  return before.flatMap((old, index) => {
    const term = terms[index] ?? null;
    return isExtended(term, old) ? [] : [invalidValue(`${path}[${index}]`, printTerm(term), detail)];
  });
}

/** The server prints its internal type. */
function printTerm(term: Json): Json {
  const list = (key: string): Json => {
    const items = array(term, key).map((item) => ({
      Key: text(item, 'key'),
      Operator: text(item, 'operator'),
      Values: own(item, 'values') ?? null,
    }));
    return items.length === 0 ? null : items;
  };
  return { MatchExpressions: list('matchExpressions'), MatchFields: list('matchFields') };
}

/** Returns whether a term has the requirements of an old one, then others. An empty one has none. */
function isExtended(term: Json, old: Json): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const isEmpty = (each: Json): boolean => lists.every((key) => array(each, key).length === 0);
  if (isEmpty(old)) return isEmpty(term);
  return lists.every((key) => equal(array(term, key).slice(0, array(old, key).length), array(old, key)));
}

/** Ephemeral containers are only added, with names that no container has. */
function ephemeralErrors(value: JsonObject, old: JsonObject): readonly FieldError[] {
  const path = 'spec.ephemeralContainers';
  const of = (pod: JsonObject, list: string): readonly Json[] => array(pod, 'spec', list);
  const taken = new Set(
    ['containers', 'initContainers'].flatMap((list) => of(value, list).map((each) => text(each, 'name'))),
  );
  const containers = of(value, 'ephemeralContainers');
  return [
    ...containers.flatMap((container, index) => {
      const name = text(container, 'name');
      const isTaken = taken.has(name);
      taken.add(name);
      return isTaken ? [duplicate(`${path}[${index}].name`, name)] : [];
    }),
    ...of(old, 'ephemeralContainers').flatMap((before) => {
      const name = text(before, 'name');
      const found = containers.find((container) => text(container, 'name') === name);
      const refused = `existing ephemeral containers ${JSON.stringify(name)} may not be`;
      if (found === undefined) return [forbiddenField(path, `${refused} removed\n`)];
      return equal(found, before) ? [] : [forbiddenField(path, `${refused} changed\n`)];
    }),
  ];
}

/** An update may only remove gates. */
function gateErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const known = array(before, 'schedulingGates').map((gate) => text(gate, 'name'));
  return array(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = text(gate, 'name');
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return known.includes(name) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, detail)];
  });
}

function omitSeconds(toleration: Json): Json {
  return isObject(toleration) ? omit(toleration, 'tolerationSeconds') : toleration;
}

/** Returns the specification without the parts that an update may change. */
function fixed(spec: JsonObject): JsonObject {
  const withoutImages = ['containers', 'initContainers'].reduce((result, key) => {
    const items = own(result, key);
    if (!isArray(items)) return result;
    return replace(
      result,
      key,
      items.map((item) => (isObject(item) ? omit(item, 'image') : item)),
    );
  }, spec);
  return omit(withoutImages, ...changeable);
}
