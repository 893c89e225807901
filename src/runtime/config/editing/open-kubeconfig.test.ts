import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Kubeconfig } from '../kubeconfig/kubeconfig.ts';
import { problem } from '../kubeconfig-text.fixture.ts';
import { loadKubeconfig } from '../load.ts';
import { updateAuthProvider } from './update-auth-provider.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-kubeconfig-'));
});
afterEach(() => rm(dir, { recursive: true }));

const at = (name: string): string => join(dir, name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
const load = (...names: readonly string[]): Promise<Kubeconfig> =>
  loadKubeconfig({ env: { KUBECONFIG: names.map(at).join(delimiter) } });

const first = `# mine
apiVersion: v1
kind: Config
current-context: dev # where I work

clusters:
- cluster:
    server: https://10.0.0.1:6443
    certificate-authority: pki/ca.crt
    extensions:
    - name: mode
      extension: 0644
  name: c1
# who I am
users:
- name: "u1"
  user:
    token: 'sesame' # rotate
    unknown: [ 1, 2 ]
contexts:
- name: dev
  context: { cluster: c1, user: u1 }
- name: prod
  context:
    cluster: c2
    user: u1
weird: yes
`;
const second = `clusters:
  - name: c2
    cluster:
      server: https://two
  - name: c1
    cluster:
      server: https://hidden
contexts:
  - name: two
    context:
      cluster: c2
`;

/** Returns the lines that differ. */
function difference(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

interface Case {
  readonly change: (kubeconfig: Kubeconfig) => void;
  readonly first?: readonly string[];
  readonly second?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'nothing, if all values are equal': {
    change: (kubeconfig) => {
      kubeconfig.useContext('dev');
      kubeconfig.setContext('dev', { cluster: 'c1', user: 'u1', namespace: null });
      kubeconfig.setContext('dev', {});
    },
  },
  'the current context, in the first file': {
    change: (kubeconfig) => kubeconfig.useContext('two'),
    first: ['-current-context: dev # where I work', '+current-context: two # where I work'],
  },
  'an entry, in its file': {
    change: (kubeconfig) => {
      kubeconfig.setContext('two', { namespace: 'shop' });
      kubeconfig.setCluster('c2', { server: 'https://three' });
    },
    second: ['-      server: https://two', '+      server: https://three', '+      namespace: shop'],
  },
  'the effective one of two entries': {
    change: (kubeconfig) => kubeconfig.setCluster('c1', { 'certificate-authority': null }),
    first: ['-    certificate-authority: pki/ca.crt'],
  },
  'a secret, with its comment': {
    change: (kubeconfig) => kubeconfig.setUser('u1', { token: 'yes' }),
    first: [`-    token: 'sesame' # rotate`, '+    token: "yes" # rotate'],
  },
  'a new entry, in the first file': {
    change: (kubeconfig) => {
      kubeconfig.setContext('__proto__', { cluster: 'c1', user: 'n', ['__proto__']: 1 });
      kubeconfig.setUser('y', { password: '0123', 'as-groups': ['a'] });
    },
    first: [
      '+- name: "y"',
      '+    password: "0123"',
      '+    as-groups:',
      '+    - a',
      '+- name: __proto__',
      '+    cluster: c1',
      '+    user: "n"',
      '+    __proto__: 1',
    ],
  },
  'the name of a context, and the current context with it': {
    change: (kubeconfig) => kubeconfig.renameContext('dev', 'test'),
    first: [
      '-current-context: dev # where I work',
      '-- name: dev',
      '+current-context: test # where I work',
      '+- name: test',
    ],
  },
  'the name of a context that is not the current one': {
    change: (kubeconfig) => kubeconfig.renameContext('prod', 'live'),
    first: ['-- name: prod', '+- name: live'],
  },
  'deleted entries': {
    change: (kubeconfig) => {
      kubeconfig.deleteContext('prod');
      kubeconfig.deleteCluster('c2');
    },
    first: ['-- name: prod', '-  context:', '-    cluster: c2', '-    user: u1'],
    second: ['-  - name: c2', '-      server: https://two'],
  },
};

describe('write', () => {
  it.each(Object.entries(cases))(
    'changes %s',
    async (_, { change, first: inFirst = [], second: inSecond = [] }) => {
      await writeFile(at('first'), first);
      await writeFile(at('second'), second);
      const kubeconfig = await load('missing', 'first', 'second');
      change(kubeconfig);
      await kubeconfig.write();
      expect(difference(first, await read('first'))).toEqual(inFirst);
      expect(difference(second, await read('second'))).toEqual(inSecond);
      const again = await load('first', 'second');
      for (const part of ['currentContext', 'contexts', 'clusters', 'users'] as const) {
        expect(kubeconfig[part]).toEqual(again[part]);
      }
    },
  );

  it('does not write files without changes', async () => {
    await writeFile(at('first'), first);
    const { mtimeNs, ino } = await stat(at('first'), { bigint: true });
    const kubeconfig = await load('first');
    await kubeconfig.write();
    kubeconfig.setContext('dev', { cluster: 'c1', namespace: null });
    kubeconfig.useContext('dev');
    await kubeconfig.write();
    expect(await stat(at('first'), { bigint: true })).toMatchObject({ mtimeNs, ino });
  });

  it('does not write the current context of another file again', async () => {
    await writeFile(at('first'), first);
    await writeFile(at('second'), second);
    const kubeconfig = await load('second', 'first');
    kubeconfig.useContext('dev');
    await kubeconfig.write();
    expect([await read('first'), await read('second')]).toEqual([first, second]);
  });

  it('keeps entries without a name or content', async () => {
    const text = 'contexts:\n- context: { cluster: "" }\n  name: ""\nusers:\n- ~\nclusters: []\n';
    await writeFile(at('first'), text);
    const kubeconfig = await load('first');
    kubeconfig.setContext('x', { cluster: 'c' });
    await kubeconfig.write();
    expect(await read('first')).toBe(text.replace('users', '- name: x\n  context:\n    cluster: c\nusers'));
    expect(await problem(kubeconfig.config())).toMatch(/current-context is not set; .*existing: "x"$/);
  });

  it('creates the last file if none exists', async () => {
    const kubeconfig = await load('one', 'sub/two');
    expect(await problem(kubeconfig.config())).toBe(`kubeconfig ${at('one')}, ${at('sub/two')} not found`);
    kubeconfig.setCluster('c', { server: 'https://h', 'certificate-authority-data': 'Q0E=' });
    kubeconfig.setContext('x', { cluster: 'c' });
    kubeconfig.useContext('x');
    await kubeconfig.write();
    expect(await read('sub/two')).toBe(`apiVersion: v1
kind: Config
clusters:
- name: c
  cluster:
    server: https://h
    certificate-authority-data: Q0E=
contexts:
- name: x
  context:
    cluster: c
current-context: x
`);
    expect((await stat(at('sub/two'))).mode & 0o777).toBe(0o600);
  });

  it('keeps changes of other programs', async () => {
    await writeFile(at('first'), first);
    const [one, two] = [await load('first'), await load('first')];
    one.setContext('dev', { namespace: 'one' });
    two.setContext('prod', { namespace: 'two' });
    two.setUser('u2', { token: 't' });
    await Promise.all([one.write(), two.write()]);
    const { contexts, users } = await load('first');
    expect(contexts.get('dev')?.namespace).toBe('one');
    expect(contexts.get('prod')?.namespace).toBe('two');
    expect(users.get('u2')?.token).toBe('t');
  });

  it('changes an entry that moved to another file', async () => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first', 'second');
    kubeconfig.setContext('two', { namespace: 'shop' });
    await writeFile(at('second'), second);
    await kubeconfig.write();
    expect(await read('first')).toBe(first);
    expect(await read('second')).toContain('namespace: shop');
  });

  it('throws for conflicting changes of other programs, and keeps the changes', async () => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first');
    kubeconfig.renameContext('prod', 'live');
    const moved = first.replace('prod', 'gone');
    await writeFile(at('first'), moved);
    expect(await problem(kubeconfig.write())).toBe(
      `${at('first')}: no context "prod"; existing: "dev", "gone"`,
    );
    expect(await read('first')).toBe(moved);
    await writeFile(at('first'), first);
    await kubeconfig.write();
    expect(await read('first')).toContain('- name: live');
  });

  it('writes changes made during a write with the next one', async () => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first');
    kubeconfig.setContext('dev', { namespace: 'a' });
    const writing = kubeconfig.write();
    kubeconfig.setContext('dev', { namespace: 'b' });
    await writing;
    expect(kubeconfig.contexts.get('dev')?.namespace).toBe('b');
    await Promise.all([kubeconfig.write(), kubeconfig.write()]);
    expect((await load('first')).contexts.get('dev')?.namespace).toBe('b');
  });
});

describe('changes', () => {
  const refused: Readonly<Record<string, [(kubeconfig: Kubeconfig) => void, string]>> = {
    'selecting an unknown context': [(kubeconfig) => kubeconfig.useContext('none'), 'no context "none"'],
    'the name of an existing context': [
      (kubeconfig) => kubeconfig.renameContext('dev', 'prod'),
      'the context "prod" exists already; rename or delete it first',
    ],
    'renaming an unknown context': [
      (kubeconfig) => kubeconfig.renameContext('none', 'x'),
      'no context "none"',
    ],
    'deleting an unknown cluster': [
      (kubeconfig) => kubeconfig.deleteCluster('__proto__'),
      'no cluster "__proto__"',
    ],
    'deleting an unknown user': [(kubeconfig) => kubeconfig.deleteUser('u9'), 'no user "u9"'],
  };
  it.each(Object.entries(refused))('throw for %s', async (_, [change, want]) => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first');
    expect(() => change(kubeconfig)).toThrow(`${at('first')}: ${want}`);
    await kubeconfig.write();
    expect(await read('first')).toBe(first);
  });

  it('throw for an empty name of a context', async () => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first');
    expect(() => kubeconfig.renameContext('dev', '')).toThrow('a context needs a name');
    expect(kubeconfig.currentContext).toBe('dev');
  });

  it('create new maps, which are cached until then', async () => {
    await writeFile(at('first'), first);
    const kubeconfig = await load('first');
    const { contexts, users } = kubeconfig;
    expect(kubeconfig.contexts).toBe(contexts);
    expect(kubeconfig.users).toBe(users);
    kubeconfig.deleteContext('prod');
    expect([contexts.has('prod'), kubeconfig.contexts.has('prod')]).toEqual([true, false]);
  });

  it('are visible to config at once', async () => {
    await writeFile(at('first'), first.replace(/ +certificate-authority.*\n/, ''));
    const kubeconfig = await load('first');
    kubeconfig.setContext('dev', { namespace: 'shop' });
    expect(await kubeconfig.config()).toMatchObject({ auth: { token: 'sesame' }, namespace: 'shop' });
    expect((await kubeconfig.config({ namespace: 'n' })).namespace).toBe('n');
  });

  it('copy a user with its secrets, which are not printed', async () => {
    await writeFile(
      at('first'),
      first.replace(
        'unknown: [ 1, 2 ]',
        'exec: { command: p, args: [--secret, sesame, --token=sesame], env: [{ name: K, value: sesame }] }\n    future: [sesame]',
      ),
    );
    const kubeconfig = await load('first');
    const user = kubeconfig.users.get('u1') ?? {};
    expect(inspect(kubeconfig.users, { depth: null }) + JSON.stringify(user)).not.toContain('sesame');
    kubeconfig.setUser('u2', user);
    await kubeconfig.write();
    expect((await read('first')).match(/sesame/g)).toHaveLength(10);
  });
});

describe('updateAuthProvider', () => {
  const oidc = `users:
- name: jane
  user:
    auth-provider:
      name: oidc
      config:
        id-token: old # rotates
        client-id: me
`;
  it('changes only the tokens', async () => {
    await writeFile(at('config'), oidc);
    await chmod(at('config'), 0o640);
    await updateAuthProvider(at('config'), 'jane', { 'id-token': 'new', 'refresh-token': 'next' });
    expect(difference(oidc, await read('config'))).toEqual([
      '-        id-token: old # rotates',
      '+        id-token: new # rotates',
      '+        refresh-token: next',
    ]);
    expect((await stat(at('config'))).mode & 0o777).toBe(0o640);
  });

  it('does not recreate a deleted user', async () => {
    await writeFile(at('config'), oidc);
    const message = await problem(updateAuthProvider(at('config'), 'joe', { 'id-token': 'sesame' }));
    expect(message).toBe(`${at('config')}: no user "joe"; existing: "jane"`);
    expect(await read('config')).toBe(oidc);
    expect(await problem(updateAuthProvider(at('none'), 'joe', {}))).toMatch(/no user/);
  });
});
