import { describe, expect, test } from 'vitest';
import { definitionOf } from './api.fixture.ts';
import { camel, isReservedMember, isReservedWord, piecesOf } from './names/casing.ts';
import { runtimeTypeOf } from './names/full-names.ts';
import { isKnownGroup, knownGroupVersion } from './names/known-groups.ts';
import { homesOf } from './names/package-groups.ts';
import { builtInSelectableFields } from './resources/selectable-fields.ts';

describe('fields of built-in kinds that selectors accept', () => {
  test.each<[group: string, plural: string, fields: string]>([
    [
      '',
      'events',
      'involvedObject.apiVersion involvedObject.fieldPath involvedObject.kind involvedObject.name involvedObject.namespace involvedObject.resourceVersion involvedObject.uid reason reportingComponent source type',
    ],
    ['', 'namespaces', 'status.phase'],
    ['', 'nodes', 'spec.unschedulable'],
    [
      '',
      'pods',
      'spec.hostNetwork spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName status.nominatedNodeName status.phase status.podIP',
    ],
    ['', 'replicationcontrollers', 'status.replicas'],
    ['', 'secrets', 'type'],
    ['', 'services', 'spec.clusterIP spec.type'],
    ['batch', 'jobs', 'status.successful'],
    ['certificates.k8s.io', 'certificatesigningrequests', 'spec.signerName'],
    [
      'events.k8s.io',
      'events',
      'reason regarding.apiVersion regarding.fieldPath regarding.kind regarding.name regarding.namespace regarding.resourceVersion regarding.uid reportingController type',
    ],
    ['resource.k8s.io', 'resourceslices', 'spec.driver spec.nodeName'],
  ])('of %s/%s', (group, plural, fields) => {
    expect(builtInSelectableFields(group, plural)).toEqual(fields.split(' '));
  });

  test('of other kinds are none', () => {
    expect(builtInSelectableFields('apps', 'deployments')).toEqual([]);
    expect(builtInSelectableFields('', '')).toEqual([]);
  });
});

describe('types of the runtime that stand for definitions', () => {
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  const types =
    'Condition LabelSelector LabelSelectorRequirement ListMeta ManagedFieldsEntry MicroTime ObjectMeta OwnerReference Status StatusCause StatusDetails Time';

  test.each([
    ...types.split(' ').map((type) => [`${meta}.${type}`, type]),
    ...['Scale', 'ScaleSpec', 'ScaleStatus'].map((type) => [`io.k8s.api.autoscaling.v1.${type}`, type]),
    ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'],
  ])('%s', (name, type) => {
    expect(runtimeTypeOf(name ?? '')).toBe(type);
  });

  test.each([`${meta}.`, `${meta}.Patch`, 'io.k8s.api.apps.v1.Scale'])('%s has none', (name) => {
    expect(runtimeTypeOf(name)).toBeUndefined();
  });
});

describe('groups of Kubernetes itself', () => {
  const groups = [
    'admission.k8s.io admissionregistration.k8s.io apidiscovery.k8s.io apiextensions.k8s.io',
    'apiregistration.k8s.io apps authentication.k8s.io authorization.k8s.io autoscaling batch',
    'certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io extensions',
    'flowcontrol.apiserver.k8s.io imagepolicy.k8s.io internal.apiserver.k8s.io lifecycle.k8s.io meta',
    'metrics.k8s.io networking.k8s.io node.k8s.io policy rbac.authorization.k8s.io resource.k8s.io',
    'scheduling.k8s.io storage.k8s.io storagemigration.k8s.io',
  ].flatMap((line) => line.split(' '));

  test.each(['', ...groups])('%j', (group) => {
    expect(isKnownGroup(group)).toBe(true);
    expect(isKnownGroup(`${group}x`)).toBe(false);
  });

  test.each([
    ['io.k8s.api.core.v1', '', 'v1'],
    ['io.k8s.api.apiserverinternal.v1alpha1', 'internal.apiserver.k8s.io', 'v1alpha1'],
    ['io.k8s.api.networking.v1beta1', 'networking.k8s.io', 'v1beta1'],
    ['io.k8s.kube-aggregator.pkg.apis.apiregistration.v1', 'apiregistration.k8s.io', 'v1'],
  ])('the package %s is of the group %j', (name, group, version) => {
    expect(knownGroupVersion(name)).toEqual({ group, version });
  });

  test.each(['', 'io.k8s.api.core', 'io.k8s.api.unknown.v1', 'com.example.core.v1'])(
    'the package %j is of none',
    (name) => {
      expect(knownGroupVersion(name)).toBeUndefined();
    },
  );

  test.each([
    ['com.example.v1', 'com-example-v1'],
    ['', 'unnamed'],
    ['X'.repeat(60), `${'x'.repeat(50)}-`],
    ['_', 'package-'],
  ])('the version of the unknown package %j starts with %j', (name, version) => {
    const { source, position } = definitionOf('x', {});
    const full = name === '' ? 'Kind' : `${name}.Kind`;
    const [home] = homesOf([{ name: full, schema: {}, kinds: [], source, position }]).values();
    expect(home?.group).toBe('definitions');
    const length = version.endsWith('-') ? version.length + 6 : version.length;
    expect([home?.version.slice(0, version.length), home?.version.length]).toEqual([version, length]);
  });
});

describe('words', () => {
  test.each(['arguments', 'extends', 'private', 'yield'])('%s cannot name a constant', (word) => {
    expect(isReservedWord(word)).toBe(true);
  });

  test.each(['__proto__', 'toString', 'then', 'close', 'waitForSync'])('%s cannot name a member', (word) => {
    expect(isReservedMember(word)).toBe(true);
  });

  test('are split at what identifiers cannot hold, without empty pieces', () => {
    expect(piecesOf('--a..b--')).toEqual(['a', 'b']);
    expect(camel('-My-team')).toBe('myTeam');
    expect(camel('--')).toBe('');
  });
});
