import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Kubeconfig, loadKubeconfig } from '@kgen/runtime/kubeconfig';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kubectl, kubectlJson, kubectlMeanwhile, pathOfKubectl, titled } from './kubectl.ts';
import { comparable } from './view.ts';

const path = pathOfKubectl();
let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-write-'));
});
afterEach(() => rm(dir, { recursive: true }));

const entry = (name: string): string => `
- name: ${name}
  cluster: { server: "https://${name}.example", certificate-authority: pki/${name}.crt }
  user: { tokenFile: ${name}.token }
  context: { cluster: ${name}, user: ${name}, namespace: ${name} }`;
const file = (names: readonly string[], current: string): string => {
  const list = names.map(entry).join('');
  return `clusters: ${list}\nusers: ${list}\ncontexts: ${list}\ncurrent-context: ${current}\n`;
};

/** Initial files of each test. The second `a` is hidden by the first. */
const start: Readonly<Record<string, string>> = {
  one: file(['a', 'b'], 'a'),
  two: file(['a', 'c'], 'c'),
};

interface Case {
  readonly kubectl: readonly string[];
  readonly change: (kubeconfig: Kubeconfig) => void;
  readonly files?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'use-context': { kubectl: ['use-context b'], change: (config) => config.useContext('b') },
  'use-context of a later file': { kubectl: ['use-context c'], change: (config) => config.useContext('c') },
  'set-context of an old one': {
    kubectl: ['set-context c --namespace=shop --user=a'],
    change: (config) => config.setContext('c', { namespace: 'shop', user: 'a' }),
  },
  'set-context of a duplicate context': {
    kubectl: ['set-context a --cluster=c'],
    change: (config) => config.setContext('a', { cluster: 'c' }),
  },
  'set-context with nothing in it': {
    kubectl: ['set-context a --namespace='],
    change: (config) => config.setContext('a', { namespace: null }),
  },
  'set-context of a new one': {
    kubectl: ['set-context new --cluster=c --user=c', 'use-context new'],
    change: (config) => {
      config.setContext('new', { cluster: 'c', user: 'c' });
      config.useContext('new');
    },
  },
  'set-context without a file': {
    kubectl: ['set-context new --cluster=c'],
    change: (config) => config.setContext('new', { cluster: 'c' }),
    files: ['missing', 'new'],
  },
  'set-context in front of files': {
    kubectl: ['set-context new --cluster=c'],
    change: (config) => config.setContext('new', { cluster: 'c' }),
    files: ['missing', 'two', 'one'],
  },
  'rename-context of the current one': {
    kubectl: ['rename-context a z'],
    change: (config) => config.renameContext('a', 'z'),
  },
  'rename-context of a later file': {
    kubectl: ['use-context c', 'rename-context c z'],
    change: (config) => {
      config.useContext('c');
      config.renameContext('c', 'z');
    },
  },
  'delete-context': { kubectl: ['delete-context b'], change: (config) => config.deleteContext('b') },
  'delete-context of a duplicate context': {
    kubectl: ['delete-context a'],
    change: (config) => config.deleteContext('a'),
  },
  'set-cluster': {
    kubectl: [
      'set-cluster c --server=https://other --tls-server-name=name',
      'set-cluster n --server=https://n',
    ],
    change: (config) => {
      config.setCluster('c', { server: 'https://other', 'tls-server-name': 'name' });
      config.setCluster('n', { server: 'https://n' });
    },
  },
  'set-credentials': {
    kubectl: ['set-credentials n --token=t', 'set-credentials b --username=u --password=p'],
    change: (config) => {
      config.setUser('n', { token: 't' });
      config.setUser('b', { username: 'u', password: 'p' });
    },
  },
  'delete-cluster and delete-user': {
    kubectl: ['delete-cluster c', 'delete-user b'],
    change: (config) => {
      config.deleteCluster('c');
      config.deleteUser('b');
    },
  },
};

const refused: Readonly<Record<string, Case>> = {
  'use-context of an unknown one': { kubectl: ['use-context z'], change: (config) => config.useContext('z') },
  'rename-context of an unknown one': {
    kubectl: ['rename-context z y'],
    change: (config) => config.renameContext('z', 'y'),
  },
  'rename-context to an existing context': {
    kubectl: ['rename-context a c'],
    change: (config) => config.renameContext('a', 'c'),
  },
  'delete-context of an unknown one': {
    kubectl: ['delete-context z'],
    change: (config) => config.deleteContext('z'),
  },
  'delete-cluster of an unknown one': {
    kubectl: ['delete-cluster z'],
    change: (config) => config.deleteCluster('z'),
  },
  'delete-user of an unknown one': { kubectl: ['delete-user z'], change: (config) => config.deleteUser('z') },
};

describe.skipIf(path === undefined)(titled('the runtime writes the same files as kubectl config'), () => {
  const program = path ?? '';
  const run = (folder: string, files: readonly string[], commands: readonly string[]): void => {
    for (const command of commands) kubectl(program, folder, files, ['config', ...command.split(' ')]);
  };
  const load = (folder: string, files: readonly string[]): Promise<Kubeconfig> =>
    loadKubeconfig({ env: { KUBECONFIG: files.map((name) => join(folder, name)).join(delimiter) } });

  /** Creates two folders with the same files. */
  async function folders(): Promise<{ theirs: string; ours: string }> {
    const [theirs, ours] = [join(dir, 'theirs'), join(dir, 'ours')];
    await mkdir(theirs);
    for (const [name, text] of Object.entries(start)) await writeFile(join(theirs, name), text);
    await cp(theirs, ours, { recursive: true });
    return { theirs, ours };
  }

  /** Returns the content of each file, as kubectl reads it. */
  async function contents(folder: string): Promise<unknown> {
    const names = (await readdir(folder)).sort();
    return names.map((name) => [
      name,
      comparable(kubectlJson(program, folder, [name], ['config', 'view', '--raw'])),
    ]);
  }

  it.each(Object.entries(cases))(
    '%s',
    async (_, { kubectl: commands, change, files = ['missing', 'one', 'two'] }) => {
      const { theirs, ours } = await folders();
      run(theirs, files, commands);
      const kubeconfig = await load(ours, files);
      change(kubeconfig);
      await kubeconfig.write();
      expect(await contents(ours)).toEqual(await contents(theirs));
    },
  );

  it.each(Object.entries(refused))('kgen and kubectl reject %s', async (_, { kubectl: commands, change }) => {
    const { theirs, ours } = await folders();
    const files = ['one', 'two'];
    expect(() => run(theirs, files, commands)).toThrow('Command failed');
    const kubeconfig = await load(ours, files);
    expect(() => change(kubeconfig)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
  });

  const names = Array.from({ length: 12 }, (_, index) => `${index}`);
  const writeOurs = async (folder: string, name: string): Promise<void> => {
    const kubeconfig = await load(folder, ['one', 'two']);
    kubeconfig.setContext(`our-${name}`, { cluster: 'a' });
    await kubeconfig.write();
  };

  it('loses nothing with concurrent writers', async () => {
    const { ours } = await folders();
    await Promise.all(names.map((name) => writeOurs(ours, name)));
    const { contexts } = await load(ours, ['one', 'two']);
    expect(names.filter((name) => !contexts.has(`our-${name}`))).toEqual([]);
  });

  it('loses no change of kubectl with concurrent writers', async () => {
    const { ours } = await folders();
    // kubectl does not wait for a lock, and removes entries added between its reading and its writing:
    // nothing can be asserted about entries of the runtime.
    const writeTheirs = async (name: string): Promise<void> => {
      const command = ['config', 'set-context', `their-${name}`, '--cluster=a'];
      while (/\.lock/.test(await kubectlMeanwhile(program, ours, ['one', 'two'], command)));
    };
    await Promise.all([
      ...names.map((name) => writeOurs(ours, name)),
      names.reduce((before, name) => before.then(() => writeTheirs(name)), Promise.resolve()),
    ]);
    const { contexts } = await load(ours, ['one', 'two']);
    expect(names.filter((name) => !contexts.has(`their-${name}`))).toEqual([]);
  });

  const words = [
    'yes',
    'n',
    '0644',
    '1_000',
    '1:30',
    '<<',
    '=',
    '~',
    '2001-01-01',
    '# x',
    'a: b',
    '*y',
    'é☃😀',
  ];
  const odd = [
    'one\ntwo\n',
    ' a\tb ',
    '\r\n',
    '\u007f',
    '\u0085',
    'a\u2028b',
    '\ufeff',
    '\u0007',
    'x'.repeat(300),
  ];
  it.each([
    ['an empty file', ''],
    ['JSON', '{}'],
    ['a file of Windows', '\ufeffcontexts:\r\n- name: q\r\n  context: {cluster: z}\r\n'],
  ])('writes strings of all kinds into %s', async (_, text) => {
    await writeFile(join(dir, 'config'), text);
    const kubeconfig = await load(dir, ['config']);
    const all = [...words, ...odd];
    for (const name of all) kubeconfig.setContext(name, { cluster: name });
    await kubeconfig.write();
    const view = kubectlJson(program, dir, ['config'], ['config', 'view', '--raw']);
    expect(view).toMatchObject({
      contexts: expect.arrayContaining(all.map((name) => ({ name, context: { cluster: name, user: '' } }))),
    });
  });

  it('kgen and kubectl wait for, or reject, the lock of the other', async () => {
    const { ours } = await folders();
    const kubeconfig = await load(ours, ['one']);
    await writeFile(join(ours, 'one.lock'), '');
    expect(() => run(ours, ['one'], ['use-context b'])).toThrow('one.lock');
    kubeconfig.useContext('b');
    const written = kubeconfig.write();
    await rm(join(ours, 'one.lock'));
    await written;
    expect((await load(ours, ['one'])).currentContext).toBe('b');
  });
});
