/** The built-in kinds that servers serve, with changes that are derived from a sample of each. */

import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  putAt,
} from '../../src/schema/values/json.ts';
import { builtInTypes } from '../../src/testserver/resources/builtin/types.ts';
import type { ResourceType } from '../../src/testserver/resources/type.ts';
import { samples } from '../support/built-in-samples/all.ts';
import { kinds, type SequenceKind } from './kinds.ts';

/** Kinds whose objects act on the requests of other sequences. */
const acting: ReadonlySet<string> = new Set([
  'APIService',
  'CertificateSigningRequest',
  'CustomResourceDefinition',
  'FlowSchema',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'PriorityClass',
  'PriorityLevelConfiguration',
  'ServiceCIDR',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Kinds with a difference that many sequences show: see docs/test-server.md. */
const different: ReadonlySet<string> = new Set(['PersistentVolumeClaim']);

/** A kind with its subresources. */
export interface SampledKind extends SequenceKind {
  readonly subresources: readonly string[];
}

/** Kinds in stable versions whose objects have any name, apart from those of `kinds.ts`. */
export const sampledKinds: readonly SampledKind[] = builtInTypes.flatMap((type) => kindOf(type));

function kindOf({
  apiVersion,
  version,
  kind,
  plural,
  namespaced,
  subresources = [],
}: ResourceType): SampledKind[] {
  const key = `${apiVersion}/${kind}`;
  const sample = Object.hasOwn(samples, key) ? samples[key] : undefined;
  const isKnown = kinds.some((known) => known.apiVersion === apiVersion && known.kind === kind);
  if (sample === undefined || isKnown || acting.has(kind) || different.has(kind) || !/^v\d+$/.test(version))
    return [];
  const place = { name: 'a', namespace: '{ns}', address: '2001:db8::1', range: 'fd00:1::/64', authority: '' };
  const { metadata = {}, ...rest } = sample(place);
  if ('name' in metadata) return [];
  // Samples are JSON, apart from members that are undefined.
  const base = sorted(JSON.parse(JSON.stringify({ ...rest, metadata })) as JsonObject);
  const leaves = leavesOf(base, []);
  return [
    {
      ...{ apiVersion, kind, plural, isClusterScoped: !namespaced, base },
      parts: [{ metadata: { labels: { app: 'a' } } }, ...leaves.map(({ path }) => putAt({}, path, null))],
      wrong: [
        { more: 1 },
        ...leaves.map(({ path, value }) => putAt({}, path, ofOtherType(value))),
        ...leaves.map(({ path }) => putAt({}, [...path.slice(0, -1), 'more'], 'x')),
      ],
      status: [
        { status: object(base, 'status') },
        { status: null },
        { status: 'x' },
        { status: { more: 1 } },
      ],
      hasScale: subresources.some(({ name }) => name === 'scale'),
      subresources: subresources.map(({ name }) => name),
    },
  ];
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

interface Leaf {
  readonly path: readonly string[];
  readonly value: Json;
}

/** Returns the members of an object that are not objects, at all levels outside of lists. */
function leavesOf(value: JsonObject, path: readonly string[]): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, item]) =>
    isObject(item) ? leavesOf(item, [...path, key]) : [{ path: [...path, key], value: item }],
  );
}

function ofOtherType(value: Json): Json {
  if (typeof value === 'string') return 7;
  return isArray(value) ? 'x' : typeof value === 'boolean' ? 'yes' : { a: 1 };
}
