/** Random sequences of changes by kubectl and by the runtime: both accept or both reject each step. */
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isConfigError } from '@kgen/runtime';
import { type Kubeconfig, loadKubeconfig } from '@kgen/runtime/kubeconfig';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { campaign, type Random, randomOf } from '../support/random.ts';
import { kubectl, kubectlJson, pathOfKubectl, titled } from './kubectl.ts';
import { comparable, viewOf } from './view.ts';

const path = pathOfKubectl();
const steps = 12;
const names = ['a', 'b', 'y', '1', 'x: "#', '__proto__'] as const;
const files = ['missing', 'one', 'two', 'three'] as const;

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-history-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** One change, in both forms. */
interface Step {
  readonly command: readonly string[];
  readonly change: (kubeconfig: Kubeconfig) => void;
}

function stepOf(random: Random): Step {
  const [name, other] = [random.pick(names), random.pick(names)];
  const server = `https://${random.int(9)}.example`;
  return random.pick<Step>([
    { command: ['use-context', name], change: (config) => config.useContext(name) },
    {
      command: ['set-context', name, `--cluster=${other}`],
      change: (config) => config.setContext(name, { cluster: other }),
    },
    {
      command: ['set-context', name, `--user=${other}`, '--namespace=no'],
      change: (config) => config.setContext(name, { user: other, namespace: 'no' }),
    },
    { command: ['rename-context', name, other], change: (config) => config.renameContext(name, other) },
    { command: ['delete-context', name], change: (config) => config.deleteContext(name) },
    {
      command: ['set-cluster', name, `--server=${server}`],
      change: (config) => config.setCluster(name, { server }),
    },
    { command: ['delete-cluster', name], change: (config) => config.deleteCluster(name) },
    {
      command: ['set-credentials', name, `--token=${other}`],
      change: (config) => config.setUser(name, { token: other }),
    },
    { command: ['delete-user', name], change: (config) => config.deleteUser(name) },
  ]);
}

function fileOf(random: Random): string {
  const list = random
    .some(names, 3)
    .map((name) => {
      const [cluster, user] = [random.pick(names), random.pick(names)].map((each) => JSON.stringify(each));
      const context = `{ cluster: ${cluster}, user: ${user} }`;
      return `\n- { name: ${JSON.stringify(name)}, context: ${context}, cluster: { server: h }, user: { token: t } }`;
    })
    .join('');
  const entries = list === '' ? ' []' : list;
  const current = random.chance(0.5) ? `\ncurrent-context: ${JSON.stringify(random.pick(names))}` : '';
  return `contexts:${entries}\nclusters:${entries}\nusers:${entries}${current}\n`;
}

describe.skipIf(path === undefined)(titled('histories of kubectl config and of the runtime'), () => {
  const program = path ?? '';

  function theirs(folder: string, command: readonly string[]): boolean {
    try {
      kubectl(program, folder, files, ['config', ...command]);
      return true;
    } catch {
      // kubectl rejects it by its exit code.
      return false;
    }
  }

  async function ours(kubeconfig: Kubeconfig, { change }: Step): Promise<boolean> {
    try {
      change(kubeconfig);
      await kubeconfig.write();
      return true;
    } catch (error) {
      if (isConfigError(error)) return false;
      throw error;
    }
  }

  async function contents(folder: string): Promise<unknown> {
    const found = (await readdir(folder)).sort();
    return found.map((name) => [
      name,
      comparable(kubectlJson(program, folder, [name], ['config', 'view', '--raw'])),
    ]);
  }

  it.each(campaign('kubeconfig history', { rounds: 4 }))(
    'are equal after random edits, seed %i',
    async (seed) => {
      const random = randomOf(seed);
      const [left, right] = [join(dir, 'theirs'), join(dir, 'ours')];
      await mkdir(left);
      for (const name of ['one', 'two']) await writeFile(join(left, name), fileOf(random));
      await cp(left, right, { recursive: true });
      const env = { KUBECONFIG: files.map((name) => join(right, name)).join(delimiter) };
      const kubeconfig = await loadKubeconfig({ env });
      const history: unknown[] = [];
      for (let step = 0; step < steps; step += 1) {
        const next = stepOf(random);
        const possible = theirs(left, next.command);
        history.push([next.command, possible]);
        expect(await ours(kubeconfig, next), JSON.stringify(history)).toBe(possible);
      }
      expect(await contents(right), JSON.stringify(history)).toEqual(await contents(left));
      expect(viewOf(kubeconfig)).toEqual(
        comparable(kubectlJson(program, right, files, ['config', 'view', '--raw'])),
      );
    },
  );
});
