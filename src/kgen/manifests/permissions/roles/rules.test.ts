import { describe, expect, it } from 'vitest';
import type { Need } from '../needs.ts';
import { dangersOf } from './dangers.ts';
import { rbacFiles } from './rbac-files.ts';
import { roleRules } from './rules.ts';

/** Returns a need of `GROUP/RESOURCE VERBS`. */
function need(text: string, more: Partial<Need> = {}): Need {
  const [path = '', ...verbs] = text.split(' ');
  const [group = '', ...resource] = path.split('/');
  const place = { file: 'main.ts', line: 1, column: 1 };
  const common = { scope: { type: 'cluster' }, names: [], place, reason: 'call' } as const;
  return { group, resource: resource.join('/'), verbs, ...common, ...more };
}

const inShop = { scope: { type: 'namespace', name: 'shop' } } as const;

function shown(needs: readonly Need[], watchNamespaces?: readonly string[]): readonly string[] {
  return roleRules(needs, { namespace: 'ops', watchNamespaces }).flatMap(({ namespace = 'all', rules }) =>
    rules.map(({ groups, resources, names, verbs }) =>
      [namespace, groups.join(), resources.join(), verbs.join(), ...names].join(' '),
    ),
  );
}

describe('roleRules', () => {
  it.each([
    {
      title: 'unites the verbs of a resource',
      needs: [need('apps/deployments list watch'), need('apps/deployments get list')],
      want: ['all apps deployments get,list,watch'],
    },
    {
      title: 'merges resources, and then groups, of equal verbs',
      needs: [
        need('apps/deployments get'),
        need('apps/daemonsets get'),
        need('a.b/deployments get'),
        need('a.b/daemonsets get'),
      ],
      want: ['all a.b,apps daemonsets,deployments get'],
    },
    {
      title: 'keeps names apart',
      needs: [
        need('/secrets get', { names: ['a'] }),
        need('/secrets get', { names: ['b'] }),
        need('/secrets list'),
      ],
      want: ['all  secrets get a', 'all  secrets get b', 'all  secrets list'],
    },
    {
      title: 'drops names if all objects are allowed',
      needs: [need('/secrets get delete', { names: ['a'] }), need('/secrets get')],
      want: ['all  secrets delete a', 'all  secrets get'],
    },
    {
      title: 'has all verbs for a wildcard',
      needs: [need('a.b/c * get')],
      want: ['all a.b c *'],
    },
    {
      title: 'writes a Role for each namespace, without the verbs of the ClusterRole',
      needs: [
        need('/pods get'),
        need('/pods get list', inShop),
        need('/pods watch', { scope: { type: 'own' } }),
      ],
      want: ['all  pods get', 'ops  pods watch', 'shop  pods list'],
    },
    {
      title: 'grants watched namespaces in the whole cluster by default',
      needs: [need('/pods get', { scope: { type: 'watched' } })],
      want: ['all  pods get'],
    },
    {
      title: 'grants watched namespaces that are named in each',
      needs: [need('/pods get', { scope: { type: 'watched' } })],
      watchNamespaces: ['b', 'a'],
      want: ['a  pods get', 'b  pods get'],
    },
  ])('$title', ({ needs, watchNamespaces, want }) => {
    expect([...shown(needs, watchNamespaces)].sort()).toEqual(want);
    expect(shown(needs.toReversed(), watchNamespaces)).toEqual(shown(needs, watchNamespaces));
  });
});

describe('rbacFiles', () => {
  it('writes quoted names and comments on one line', () => {
    const place = { file: 'a\nb.ts', line: 3, column: 1 };
    const files = rbacFiles([need('/secrets get', { names: ['on', 'a:b', '1'], place })], { name: 'me' });
    expect([...files.keys()]).toEqual(['rbac/account.yaml', 'rbac/role.yaml', 'rbac/role-binding.yaml']);
    expect(files.get('rbac/role.yaml')).toContain(
      '  # a\\u000ab.ts:3 call\n  - apiGroups: [""]\n    resources: [secrets]\n    resourceNames: ["on", "a:b", "1"]\n    verbs: [get]\n',
    );
  });

  it('gives equal bytes for equal needs in any order', () => {
    const needs = [need('apps/deployments get'), need('/pods list', inShop), need('/pods watch')];
    const kinds = ['b', 'a'].map((singular) => ({ group: 'x.y', singular, plural: `${singular}s` }));
    const texts = (all: readonly Need[], some: typeof kinds): string =>
      JSON.stringify([...rbacFiles(all, { name: 'me', namespace: 'ops', kinds: some })]);
    expect(texts(needs.toReversed(), kinds.toReversed())).toBe(texts(needs, kinds));
  });

  it.each([
    { options: { name: '../etc' }, wrong: '../etc' },
    { options: { name: 'me', namespace: 'A' }, wrong: 'A' },
    { options: { name: 'me', kinds: [{ group: 'a/b', singular: 'a', plural: 'as' }] }, wrong: 'a/b' },
    { options: { name: 'me', kinds: [{ group: 'a.b', singular: '../a', plural: 'as' }] }, wrong: '../a' },
  ])('throws TypeError for the name $wrong', ({ options, wrong }) => {
    expect(() => rbacFiles([], options)).toThrow(new RegExp(`^"${wrong}" is not `));
  });
});

describe('dangersOf', () => {
  it.each([
    { text: '/secrets get update', want: ['get', 'update'] },
    { text: '/secrets get', more: inShop, want: [] },
    { text: 'rbac.authorization.k8s.io/clusterroles bind escalate get', want: ['bind', 'escalate'] },
    { text: '/users impersonate', want: ['impersonate'] },
    { text: '/pods/exec create get', more: inShop, want: ['create get'] },
    { text: '/nodes/proxy get', want: ['get'] },
    { text: '/serviceaccounts/token create', want: ['create'] },
    { text: 'admissionregistration.k8s.io/mutatingwebhookconfigurations get patch', want: ['patch'] },
    { text: 'a.b/c *', want: ['*'] },
    { text: 'a.b/* get', want: ['get'] },
    { text: 'apps/deployments create get', want: [] },
  ])('reports $want of $text', ({ text, more, want }) => {
    const verbs = dangersOf([need(text, more)]).map((danger) => danger.verbs.join(' '));
    expect([...new Set(verbs)].sort()).toEqual(want);
  });
});
