import { describe, expect, it } from 'vitest';
import { orderManifests } from './order.ts';
import { parseManifests } from './parse.ts';

describe('parseManifests', () => {
  it('reads objects from documents, lists and JSON', () => {
    const text = [
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"x"}}',
      '# nothing',
      'apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: b}}',
      'apiVersion: v1\nkind: List\nitems: []',
    ].join('\n---\n');
    const { manifests, failures } = parseManifests(text, 'all.yaml');
    expect(failures).toEqual([]);
    expect(manifests.map(({ body: _, ...rest }) => rest)).toEqual([
      {
        place: 'all.yaml:1:1',
        group: '',
        version: 'v1',
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'a',
        isGenerated: false,
        namespace: 'x',
      },
      {
        place: 'all.yaml:5:1 items[0]',
        group: 'apps',
        version: 'v1',
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'b',
        isGenerated: false,
      },
    ]);
  });

  it.each([
    ['just text', 'it is not a map'],
    ['[1]', 'it is not a map'],
    ['kind: A\nmetadata: {name: a}', 'it has no apiVersion'],
    ['apiVersion: 1\nkind: A\nmetadata: {name: a}', 'it has no apiVersion'],
    ['apiVersion: v1\nmetadata: {name: a}', 'it has no kind'],
    ['apiVersion: v1\nkind: A', 'it has no metadata.name'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: 7}', 'metadata.name is not a string'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: no}', 'metadata.name is not a string; numbers, booleans'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: null}', 'it has no metadata.name'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: ""}', 'it has no metadata.name'],
    ['apiVersion: v1\nkind: List\nitems:', 'its items are not a list'],
    [
      'apiVersion: a/b/c\nkind: A\nmetadata: {name: a}',
      'its apiVersion must have the form v1 or apps/v1, got a/b/c',
    ],
    [
      'apiVersion: /v1\nkind: A\nmetadata: {name: a}',
      'its apiVersion must have the form v1 or apps/v1, got /v1',
    ],
    [
      'apiVersion: apps/\nkind: A\nmetadata: {name: a}',
      'its apiVersion must have the form v1 or apps/v1, got apps/',
    ],
    ['apiVersion: v1\nkind: A\nmetadata: {generateName: a-}', 'it has generateName and no name'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: 7}', 'metadata.namespace is not a string'],
    [
      'apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {x: [9007199254740993, 9223372036854775808]}',
      'spec.x.1 is an integer of more than 64 bits',
    ],
  ])('%j: %s', (text, why) => {
    const { manifests, failures } = parseManifests(`a: [\n---\n${text}`, 'x');
    expect(manifests).toEqual([]);
    expect(failures.map(({ action }) => action)).toEqual(['failed', 'failed']);
    expect(failures[0]?.error?.message).toMatch(/^x:\d+:\d+: not YAML/);
    expect(failures[1]?.error?.message).toContain(`x:3:1: not a Kubernetes object: ${why}`);
  });
});

describe('lists', () => {
  it.each([
    ['DeploymentList', '{metadata: {name: a}}', 'apps/v1 Deployment'],
    ['DeploymentList', '{apiVersion: x/v1, kind: Z, metadata: {name: a}}', 'x/v1 Z'],
    ['DeploymentList', '{apiVersion: apps/v2, metadata: {name: a}}', 'apps/v2 Deployment'],
    ['List', '{metadata: {name: a}}', undefined],
    ['DeploymentList', '7', undefined],
  ])('%s of %s: %s', (kind, item, want) => {
    const { manifests, failures } = parseManifests(
      `apiVersion: apps/v1\nkind: ${kind}\nitems: [${item}]`,
      'x',
    );
    expect(manifests.map(({ apiVersion, body }) => `${apiVersion} ${String(body['kind'])}`)).toEqual(
      want === undefined ? [] : [want],
    );
    expect(failures).toHaveLength(want === undefined ? 1 : 0);
  });
});

describe('orderManifests', () => {
  it('sorts dependencies first and webhooks last', () => {
    const given = [
      ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
      ['apps', 'Deployment'],
      ['example.com', 'Namespace'],
      ['rbac.authorization.k8s.io', 'RoleBinding'],
      ['', 'ConfigMap'],
      ['apiextensions.k8s.io', 'CustomResourceDefinition'],
      ['rbac.authorization.k8s.io', 'Role'],
      ['apps', 'StatefulSet'],
      ['', 'Namespace'],
      ['apiregistration.k8s.io', 'APIService'],
    ].map(([group = '', kind = '']) => ({ group, kind }));
    expect(orderManifests(given).map(({ group, kind }) => `${kind}.${group}`)).toEqual([
      'Namespace.',
      'CustomResourceDefinition.apiextensions.k8s.io',
      'ConfigMap.',
      'Role.rbac.authorization.k8s.io',
      'RoleBinding.rbac.authorization.k8s.io',
      'Deployment.apps',
      'Namespace.example.com',
      'StatefulSet.apps',
      'APIService.apiregistration.k8s.io',
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
    ]);
  });
});
