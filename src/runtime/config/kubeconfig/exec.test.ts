import { describe, expect, it } from 'vitest';
import { kubeconfig, problem } from '../kubeconfig-text.fixture.ts';
import { parseKubeconfig } from '../load.ts';
import type { ExecConfig } from '../types.ts';

const v1 = 'client.authentication.k8s.io/v1';

/** Returns a kubeconfig whose user has only an exec plugin, and the lines of `besides`. */
function withExec(exec: string, besides = '', cluster = ''): string {
  const indented = exec.replaceAll(/^/gm, '  ');
  return kubeconfig({ user: `${besides}\nexec:\n${indented}`, cluster }).replace('token: t1', '');
}

const minimal = `apiVersion: ${v1}\ncommand: plugin\ninteractiveMode: Never`;
const extension =
  'extensions:\n- name: other\n  extension: 1\n- name: client.authentication.k8s.io/exec\n  extension: { audience: a }';

describe('exec', () => {
  const cases: Readonly<Record<string, { given: string; want: ExecConfig }>> = {
    'the required members': {
      given: withExec(minimal),
      want: { apiVersion: v1, command: 'plugin', interactiveMode: 'Never' },
    },
    'v1beta1, which is interactive by default': {
      given: withExec('apiVersion: client.authentication.k8s.io/v1beta1\ncommand: plugin'),
      want: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: 'plugin',
        interactiveMode: 'IfAvailable',
      },
    },
    'lists that kubectl writes as null': {
      given: withExec(`${minimal}\nargs: null\nenv: null`),
      want: { apiVersion: v1, command: 'plugin', interactiveMode: 'Never' },
    },
    'every member': {
      given: withExec(
        `${minimal.replace('plugin', '/opt/plugin')}\nargs: [get, token]\nenv: [{ name: A, value: b }, { name: C }]\n` +
          'installHint: install it\nprovideClusterInfo: true',
        '',
        extension,
      ),
      want: {
        apiVersion: v1,
        command: '/opt/plugin',
        args: ['get', 'token'],
        env: [
          { name: 'A', value: 'b' },
          { name: 'C', value: '' },
        ],
        interactiveMode: 'Never',
        provideClusterInfo: true,
        clusterConfig: { audience: 'a' },
        installHint: 'install it',
      },
    },
    'an extension without provideClusterInfo': {
      given: withExec(minimal, '', extension),
      want: { apiVersion: v1, command: 'plugin', interactiveMode: 'Never' },
    },
  };
  it.each(Object.entries(cases))('reads %s', async (_, { given, want }) => {
    expect((await parseKubeconfig(given, { allowExec: true })).auth).toEqual({ exec: want });
  });

  it.each([
    ['a token', 'token: t', { token: 't' }],
    ['a password', 'username: jane\npassword: p', { username: 'jane', password: 'p' }],
  ])('has lower precedence than %s, as with kubectl', async (_, besides, want) => {
    expect((await parseKubeconfig(withExec(minimal, besides), { allowExec: true })).auth).toEqual(want);
  });

  const problems: Readonly<Record<string, { given: string; want: string | RegExp }>> = {
    'no command': {
      given: withExec(`apiVersion: ${v1}`),
      want: /exec has no command; set the program to run$/,
    },
    'no apiVersion': { given: withExec('command: plugin'), want: /exec has no apiVersion; it must be/ },
    'an old apiVersion': {
      given: withExec('apiVersion: client.authentication.k8s.io/v1alpha1\ncommand: plugin'),
      want: /exec has the apiVersion "client.authentication.k8s.io\/v1alpha1"; it must be .*newer version/,
    },
    'v1 without interactiveMode': {
      given: withExec(`apiVersion: ${v1}\ncommand: plugin`),
      want: /exec has no interactiveMode, which .*v1 requires; set it to Never, IfAvailable or Always$/,
    },
    'an unknown interactiveMode': {
      given: withExec(minimal.replace('Never', 'Sometimes')),
      want: /exec has an unknown interactiveMode/,
    },
    'a mapping of variables': {
      given: withExec(`${minimal}\nenv: { A: b }`),
      want: /exec.env is not a list$/,
    },
    'a variable without a name': {
      given: withExec(`${minimal}\nenv: [{ value: sesame }]`),
      want: /exec.env\[0\] has no name$/,
    },
    'a variable that is a number': {
      given: withExec(`${minimal}\nenv: [{ name: A, value: 3 }]`),
      want: /exec.env\[0\] \(A\): value is not a string; put it in quotes$/,
    },
    'arguments that are not a list': {
      given: withExec(`${minimal}\nargs: x`),
      want: /exec.args is not a list/,
    },
    'a program together with an auth provider': {
      given: withExec(minimal, 'auth-provider: { name: oidc }'),
      want: 'user "u1": exec and auth-provider are both set; remove one',
    },
    'a relative path in a string': {
      given: withExec(minimal.replace('plugin', './plugin')),
      want: /exec.command names a file; a kubeconfig string/,
    },
    'a program that is a string': {
      given: kubeconfig({ user: 'exec: plugin' }),
      want: /exec is not a mapping$/,
    },
  };
  it.each(Object.entries(problems))('throws for %s', async (_, { given, want }) => {
    const message = await problem(parseKubeconfig(given, { allowExec: true }));
    if (want instanceof RegExp) expect(message).toMatch(want);
    else expect(message).toBe(want);
    expect(message).not.toContain('sesame');
  });

  it('rejects a program in a string without allowExec', async () => {
    expect(await problem(parseKubeconfig(withExec(minimal)))).toMatch(
      /^user "u1": exec runs a program, which a kubeconfig string must not do; .* allowExec$/,
    );
  });
});
