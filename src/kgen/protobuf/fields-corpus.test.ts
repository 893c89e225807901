/** Comparison of the table with one derived from the Go sources of a 1.37 beta (KGEN_CORPUS). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removed, typeText } from './fields.fixture.ts';
import { fieldTable } from './table.ts';

/** A row of the other table: package, message, type in the source, its Go type, JSON name, omission. */
type Row = readonly [
  home: string,
  message: string,
  source: { readonly type: string; readonly pb: string },
  goType: string,
  json: string | null,
  omission: readonly string[],
];

const corpus = process.env['KGEN_CORPUS'];
const table = fieldTable();

function read<T>(file: string): T {
  // seam: a file of the corpus, whose form its README states
  return JSON.parse(readFileSync(join(corpus ?? '', 'protobuf', file), 'utf8')) as T;
}

/** Messages that are lists in JSON: the other table contains them as names of Go types, not as messages. */
const lists: readonly string[] = [
  'authentication.k8s.io/v1.AttestationValue',
  'authentication.k8s.io/v1.ExtraValue',
  'authentication.k8s.io/v1beta1.ExtraValue',
  'authorization.k8s.io/v1.ExtraValue',
  'authorization.k8s.io/v1beta1.ExtraValue',
  'certificates.k8s.io/v1.ExtraValue',
  'certificates.k8s.io/v1beta1.ExtraValue',
  'meta/v1.Verbs',
];

const anotherName =
  'a Go type that is another name, or a copy, of one in another package: the other table has only the name';
const laterThanBeta = 'came after the beta';
const ownText = 'its JSON is something of its own: what it consists of is no field';

/** Returns the lines that only the other table has. */
const onlyThere: Readonly<Record<string, string>> = {
  'meta/v1.FieldsV1#1': ownText,
  'meta/v1.Duration#1': ownText,
  'meta/v1.GroupVersion#1': 'its JSON is a text, and nothing holds one',
  'meta/v1.GroupVersion#2': 'its JSON is a text, and nothing holds one',
};

/**
 * Returns the lines that only this table has, except messages that are lists and those that fields.md lists
 * as removed.
 */
const onlyHere: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1alpha1.MatchCondition#1': anotherName,
  'admissionregistration.k8s.io/v1alpha1.MatchCondition#2': anotherName,
  'core/v1.List#1': anotherName,
  'core/v1.List#2': anotherName,
  'meta/v1beta1.PartialObjectMetadataList#1': 'the other table has nothing of meta/v1beta1',
  'meta/v1beta1.PartialObjectMetadataList#2': 'the other table has nothing of meta/v1beta1',
  'core/v1.NodeSystemInfo#12': laterThanBeta,
  'resource.k8s.io/v1.DeviceCounterConsumption#3': laterThanBeta,
  'resource.k8s.io/v1.DeviceDerivedAttribute#1': laterThanBeta,
  'resource.k8s.io/v1.DeviceDerivedAttribute#2': laterThanBeta,
  'resource.k8s.io/v1.DeviceSubRequest#8': laterThanBeta,
  'resource.k8s.io/v1.ExactDeviceRequest#8': laterThanBeta,
  'resource.k8s.io/v1beta1.DeviceCounterConsumption#3': laterThanBeta,
  'resource.k8s.io/v1beta1.DeviceDerivedAttribute#1': laterThanBeta,
  'resource.k8s.io/v1beta1.DeviceDerivedAttribute#2': laterThanBeta,
  'resource.k8s.io/v1beta1.DeviceRequest#10': laterThanBeta,
  'resource.k8s.io/v1beta1.DeviceSubRequest#9': laterThanBeta,
  'resource.k8s.io/v1beta2.DeviceCounterConsumption#3': laterThanBeta,
  'resource.k8s.io/v1beta2.DeviceDerivedAttribute#1': laterThanBeta,
  'resource.k8s.io/v1beta2.DeviceDerivedAttribute#2': laterThanBeta,
  'resource.k8s.io/v1beta2.DeviceSubRequest#8': laterThanBeta,
  'resource.k8s.io/v1beta2.ExactDeviceRequest#8': laterThanBeta,
};

/** Go types that the other table could not resolve, in its notation, with their notation in this table. */
const followed: Readonly<Record<string, string>> = {
  "('api/apiserverinternal/v1alpha1', 'StorageVersionSpec')":
    'internal.apiserver.k8s.io/v1alpha1.StorageVersionSpec',
  "('apiv1', 'PreemptionPolicy')": 'string',
  "('apimachinerytypes', 'UID')": 'string',
  "('apimachinery/pkg/apis/meta/v1', 'CoordinatedLeaseStrategy')": 'string',
  "('apimachinery/pkg/apis/meta/v1', 'ReinvocationPolicyType')": 'string',
  "('apimachinery/pkg/apis/meta/v1', 'MatchCondition')":
    'admissionregistration.k8s.io/v1alpha1.MatchCondition',
  "('apimachinery/pkg/apis/meta/v1', 'RuleWithOperations')":
    'admissionregistration.k8s.io/v1.RuleWithOperations',
  "('apimachinery/pkg/apis/meta/v1', 'UserInfo')": 'authentication.k8s.io/v1.UserInfo',
  "('authorizationv1', 'FieldSelectorAttributes')": 'authorization.k8s.io/v1.FieldSelectorAttributes',
  "('authorizationv1', 'LabelSelectorAttributes')": 'authorization.k8s.io/v1.LabelSelectorAttributes',
  "('batchv1', 'JobSpec')": 'batch/v1.JobSpec',
  "('schedulingv1alpha3', 'WorkloadPodGroupDisruptionMode')":
    'scheduling.k8s.io/v1alpha3.WorkloadPodGroupDisruptionMode',
  "('schedulingv1alpha3', 'WorkloadPodGroupResourceClaim')":
    'scheduling.k8s.io/v1alpha3.WorkloadPodGroupResourceClaim',
  "('schedulingv1alpha3', 'WorkloadPodGroupSchedulingConstraints')":
    'scheduling.k8s.io/v1alpha3.WorkloadPodGroupSchedulingConstraints',
  "('schedulingv1alpha3', 'WorkloadPodGroupSchedulingPolicy')":
    'scheduling.k8s.io/v1alpha3.WorkloadPodGroupSchedulingPolicy',
};

/** Fields whose type is a list with a message of its own, which the other table represents as slices. */
const listFields: readonly string[] = [
  'authentication.k8s.io/v1.TokenRequestSpec#5',
  'authentication.k8s.io/v1.UserInfo#4',
  'authentication.k8s.io/v1beta1.UserInfo#4',
  'authorization.k8s.io/v1.SubjectAccessReviewSpec#5',
  'authorization.k8s.io/v1beta1.SubjectAccessReviewSpec#5',
  'certificates.k8s.io/v1.CertificateSigningRequestSpec#6',
  'certificates.k8s.io/v1beta1.CertificateSigningRequestSpec#6',
  'meta/v1.APIResource#4',
];

/** Homes by the name of their package in the other table: the first label of the group, and the version. */
const homes: ReadonlyMap<string, string> = new Map(
  [...table.messages.values()].map(({ home }) => {
    const [group = '', version = ''] = home.split('/');
    const label = group === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : group.split('.', 1)[0];
    return [`${label}/${version}`, home];
  }),
);

function homeOf(goPackage: string): string {
  const key = goPackage.split('/').slice(-2).join('/');
  const home = homes.get(key);
  if (home === undefined) throw new Error(`the table has no package ${goPackage}`);
  return home;
}

/** Returns a Go type of the other table in the notation of this table. */
function stated(goType: string): string {
  const [, shape, inner] = /^(ptr|slice|map)<(?:string,)?(.*)>$/.exec(goType) ?? [];
  const mark = { ptr: '*', slice: '[]', map: '{}' }[shape ?? ''] ?? '';
  const element = inner ?? goType;
  if (element.startsWith('?')) return mark + (followed[element.slice(1)] ?? element);
  const [, goPackage, message] = /^struct:(.*)\.(\w+)$/.exec(element) ?? [];
  if (goPackage !== undefined) return `${mark}${homeOf(goPackage)}.${message}`;
  return mark + (/^[A-Z]/.test(element) ? `$${element}` : element);
}

/** Returns all properties of a field as one string. */
function line(name: string | undefined, type: string, omission: string): string {
  return `${name ?? '(inline)'} ${type} ${omission}`;
}

function theirLines(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(
    rows.map(([goPackage, message, { pb }, goType, json, options]) => {
      const omission = options.includes('omitzero') ? 'omitzero' : (options[0] ?? 'never');
      const key = `${homeOf(goPackage)}.${message}#${pb.split(',')[1]}`;
      return [key, line(json || undefined, stated(goType), omission)];
    }),
  );
}

function ourLines(): ReadonlyMap<string, string> {
  return new Map(
    [...table.messages].flatMap(([key, { fields }]) =>
      fields.map((field) => [`${key}#${field.number}`, line(field.json, typeText(field), field.omission)]),
    ),
  );
}

const messageOf = (key: string): string => key.slice(0, key.indexOf('#'));
/** Groups that the other table does not have. */
const isElsewhere = (key: string): boolean => /^api(extensions|registration)\.k8s\.io\//.test(key);

if (corpus === undefined) {
  describe.skip('the other table: KGEN_CORPUS is not set', () => {
    test('is equal', () => undefined);
  });
} else {
  describe('the second table of fields', () => {
    const theirs = theirLines(read<readonly Row[]>('fields.json'));
    const ours = ourLines();

    test('is large', () => expect(theirs.size).toBe(4175));

    test('agrees on every field of both tables', () => {
      const both = [...theirs].filter(([key]) => ours.has(key));
      const different = both.filter(([key, text]) => ours.get(key) !== text).map(([key]) => key);
      expect(both.length).toBeGreaterThan(4100);
      expect(different.sort()).toEqual([...listFields].sort());
    });

    test('has no additional fields, except named ones', () => {
      const missing = [...theirs.keys()].filter((key) => !ours.has(key));
      expect(missing.sort()).toEqual(Object.keys(onlyThere).sort());
    });

    test('lacks no fields, except named ones', () => {
      const gone = new Set([...removed.fields, ...removed.messages]);
      const more = [...ours.keys()]
        .filter((key) => !theirs.has(key) && !isElsewhere(key) && !lists.includes(messageOf(key)))
        .filter((key) => !gone.has(key) && !gone.has(messageOf(key)));
      expect(more.sort()).toEqual(Object.keys(onlyHere).sort());
    });

    test('has the lists that have a message of their own', () => {
      const aliases = new Map(
        read<readonly (readonly [readonly [string, string], string])[]>('aliases.json').map(
          ([[goPackage, name], goType]) => [`${goPackage.split('/').slice(-2).join('/')}.${name}`, goType],
        ),
      );
      const stated = lists.map((key) => aliases.get(key.replace(/\.k8s\.io/, '')));
      expect(stated).toEqual(lists.map(() => '[]string'));
      for (const key of lists) {
        const message = table.messages.get(key);
        expect(message?.bare).toBe(true);
        expect(message?.fields.map((field) => `${field.number} ${typeText(field)}`)).toEqual(['1 []string']);
      }
    });
  });
}
