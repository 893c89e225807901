/** The built-in kinds that servers serve, with changes that are derived from a sample of each. */
import { isArray, isObject, type Json, type JsonObject, object } from '../../src/schema/values/json.ts';
import { builtInTypes } from '../../src/testserver/resources/builtin/types.ts';
import type { ResourceType } from '../../src/testserver/resources/type.ts';
import { samples } from '../support/built-in-samples/all.ts';
import { kinds, type SequenceKind } from './kinds.ts';
import { acceptedParts, refusedParts } from './sampled-parts.ts';

/** Kinds that are compared elsewhere, with the reason. */
const excluded: ReadonlyMap<string, string> = new Map([
  ['APIService', 'a real server writes its status when it has tried to connect'],
  ['CustomResourceDefinition', 'a real server writes its status later: definition-steps.ts waits for it'],
  ['FlowSchema', 'a real server writes its status later: flow-steps.ts waits for it'],
  ['PriorityLevelConfiguration', 'it limits the requests of other sequences: see flow-steps.ts'],
]);

/** The names of objects are values of the kind. */
const names: Readonly<Record<string, readonly [string, string, string]>> = {
  IPAddress: ['{address}:a', '{address}:b', '{address}:c'],
};

/** A kind with its subresources. */
export interface SampledKind extends SequenceKind {
  readonly subresources: readonly string[];
}

/** Kinds in stable versions, which real servers serve unless they are configured otherwise. */
export const sampledKinds: readonly SampledKind[] = builtInTypes
  .filter(
    ({ version, kind, verbs }) => /^v\d+$/.test(version) && !excluded.has(kind) && verbs.includes('watch'),
  )
  .map((type) => ({
    ...(kinds.find(({ apiVersion, kind }) => apiVersion === type.apiVersion && kind === type.kind) ??
      kindOf(type)),
    subresources: (type.subresources ?? []).map(({ name }) => name),
  }));

function kindOf({ apiVersion, kind, plural, namespaced, subresources = [] }: ResourceType): SequenceKind {
  const sample = samples[`${apiVersion}/${kind}`];
  if (sample === undefined) throw new Error(`${apiVersion} ${kind} has neither a sample nor a reason`);
  const place = { name: 'a', namespace: '{ns}', address: '', range: '{address}:/112', authority: 'x' };
  const { metadata: { name: _, ...metadata } = {}, ...rest } = sample(place);
  // Samples are JSON, apart from members that are undefined.
  const base = sorted(JSON.parse(JSON.stringify({ ...rest, metadata })) as JsonObject);
  const named = names[kind];
  // A default class changes the pods of other sequences.
  const parts: readonly JsonObject[] = [{ metadata: { labels: { app: 'a' } } }, ...acceptedParts(base)];
  return {
    ...{ apiVersion, kind, plural, isClusterScoped: !namespaced, base },
    ...(named === undefined ? {} : { names: named }),
    parts: parts.filter((part) => part['globalDefault'] !== true),
    wrong: [{ more: 1 }, ...refusedParts(base)],
    status: [{ status: object(base, 'status') }, { status: null }, { status: 'x' }, { status: { more: 1 } }],
    hasScale: subresources.some((each) => each.name === 'scale'),
  };
}

/** A real server compares raw members, such as parameters of devices, as bytes with sorted keys. */
function sorted(value: JsonObject): JsonObject;
function sorted(value: Json): Json;
function sorted(value: Json): Json {
  if (isArray(value)) return value.map((item) => sorted(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
