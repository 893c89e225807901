import { describe, expect, test } from 'vitest';
import type { Need } from '../request/needs.ts';
import { type BoundRole, permissionReport } from './permissions.ts';
import type { PolicyRule } from './rules.ts';

const account = { namespace: 'shop', name: 'operator' };
const noLists = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const origin = { purpose: '', count: 1, userAgent: 'kgen', site: '' };
const target = { group: '', resource: '', subresource: '', namespace: '', name: '' };

/** A rule as `verbs group/resources[ names]`, each a list with commas, or `verbs /paths`. */
function rule(line: string): PolicyRule {
  const [verbs = '', on = '', names] = line.split(' ').map((part) => part.split(','));
  const lists = { ...noLists, verbs: [...verbs] };
  if (on[0]?.startsWith('/') === true) return { ...lists, nonResourceURLs: [...on] };
  const [apiGroup = ''] = (on[0] ?? '').split(':');
  const resources = [...on].join(',').replace(`${apiGroup}:`, '').split(',');
  return {
    ...lists,
    apiGroups: [apiGroup === 'core' ? '' : apiGroup],
    resources,
    resourceNames: names ?? [],
  };
}

const role = (name: string, scopes: readonly string[], ...rules: readonly string[]): BoundRole => ({
  role: name,
  scopes,
  rules: rules.map(rule),
});

/** An action as `verb group:resource[/subresource] [namespace] [name]`, or as `verb /path`. */
function need(line: string, isAllowed = true): Need {
  const [verb = '', on = '', namespace = '', name = ''] = line.split(' ');
  const base = { ...target, ...origin, isAllowed, verb };
  if (on.startsWith('/')) return { ...base, path: on };
  const [group = '', path = ''] = on.split(':');
  const [resource = '', subresource = ''] = path.split('/');
  return { ...base, group: group === 'core' ? '' : group, resource, subresource, namespace, name };
}

describe('unused rules', () => {
  test.each<[string, readonly BoundRole[], readonly string[], readonly string[]]>([
    ['all without a request', [role('R', [''], 'get,list core:pods')], [], ['R: get pods', 'R: list pods']],
    [
      'an unused verb of a used rule',
      [role('R', [''], 'get,list core:pods')],
      ['list core:pods'],
      ['R: get pods'],
    ],
    [
      'an unused resource of a used rule',
      [role('R', [''], 'get apps:deployments,statefulsets')],
      ['get apps:deployments a b'],
      ['R: get statefulsets.apps'],
    ],
    [
      'an unused name of a used rule',
      [role('R', ['a'], 'get core:secrets x,y')],
      ['get core:secrets a x'],
      ['R: get secrets y'],
    ],
    [
      'the resource if only its subresource is used',
      [role('R', [''], 'patch apps:deployments,deployments/status')],
      ['patch apps:deployments/status a b'],
      ['R: patch deployments.apps'],
    ],
    [
      'a rule of another namespace',
      [role('A', ['a'], 'get core:pods'), role('B', ['b'], 'get core:pods')],
      ['get core:pods a x'],
      ['B: get pods'],
    ],
    [
      'a role of namespaces for a request across all',
      [role('A', ['a'], 'list core:pods'), role('C', [''], 'list core:pods')],
      ['list core:pods'],
      ['A: list pods'],
    ],
    [
      'the wider one of two rules that allow the same',
      [role('C', [''], '* core:pods', 'get core:pods'), role('A', ['a'], 'get core:pods', 'get core:pods x')],
      ['get core:pods a x'],
      ['C: * pods', 'C: get pods', 'A: get pods'],
    ],
    [
      'no narrow rule beside a wide one that another request needs',
      [role('C', [''], 'get core:pods'), role('A', ['a'], 'get core:pods')],
      ['get core:pods a x', 'get core:pods b x'],
      ['A: get pods'],
    ],
    ['no wildcard with one request', [role('R', [''], '* core:*')], ['get core:pods a x'], []],
    ['a path', [role('R', [''], 'get /metrics,/healthz')], ['get /metrics'], ['R: get /healthz']],
    ['equal rules once', [role('R', [''], 'get core:pods', 'get core:pods')], [], ['R: get pods']],
    [
      'none for permissions that every user has',
      [],
      ['get /api', 'create authorization.k8s.io:selfsubjectaccessreviews'],
      [],
    ],
  ])('are %s', (_, roles, needs, want) => {
    const report = permissionReport(
      account,
      roles,
      needs.map((line) => need(line)),
    );
    expect(report.forbidden).toEqual([]);
    const lines = report
      .print()
      .split('\n')
      .slice(1)
      .filter((line) => line !== '');
    expect(lines).toEqual(want.map((line) => `unused: ${line}`));
  });
});

describe('forbidden requests', () => {
  const first = { ...need('create core:secrets shop a', false), site: '/srv/operator.ts:7' };
  const needs = [
    first,
    { ...need('create core:secrets shop b', false), count: 2 },
    need('get core:secrets', false),
    need('update apps:deployments/status shop web', false),
    { ...need('get /metrics', false), userAgent: '' },
    need('list core:pods'),
  ];
  const report = permissionReport(account, [role('R', [''], 'list core:pods')], needs);

  test('are counted by verb, resource and namespace, with their first object and the missing rule', () => {
    expect(report.account).toBe('shop/operator');
    expect(report.unused).toEqual([]);
    expect(report.forbidden).toHaveLength(4);
    expect(report.forbidden[0]).toEqual({
      verb: 'create',
      group: '',
      resource: 'secrets',
      namespace: 'shop',
      name: 'a',
      path: '',
      purpose: '',
      count: 3,
      userAgent: 'kgen',
      site: '/srv/operator.ts:7',
      rule: { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    });
  });

  test('are printed with a rule that allows them', () => {
    expect(report.print()).toBe(`ServiceAccount shop/operator: 4 forbidden, 0 unused
forbidden: create secrets a in namespace shop, 3 times at /srv/operator.ts:7
  allowed by {apiGroups: [""], resources: ["secrets"], verbs: ["create"]} in a Role of shop, or a ClusterRole
forbidden: get secrets, 1 time by kgen
  allowed by {apiGroups: [""], resources: ["secrets"], verbs: ["get"]} in a ClusterRole
forbidden: update deployments.apps/status web in namespace shop, 1 time by kgen
  allowed by {apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["update"]} in a Role of shop, or a ClusterRole
forbidden: get /metrics, 1 time
  allowed by {nonResourceURLs: ["/metrics"], verbs: ["get"]} in a ClusterRole`);
  });

  test('are an error of expect', () => {
    expect(() => report.expect()).toThrow(report.print());
    expect(() => report.expect({ strict: true })).toThrow(report.print());
  });
});

test('expect warns of unused rules, and throws for them with strict', async () => {
  const { print, expect: check } = permissionReport(account, [role('R', [''], 'get core:pods')], []);
  const warning = new Promise<Error>((resolve) => void process.once('warning', resolve));
  check();
  expect(await warning).toMatchObject({ name: 'TestServerWarning', message: print() });
  expect(() => check({ strict: true })).toThrow(print());
  expect(() => permissionReport(account, [], []).expect({ strict: true })).not.toThrow();
});
