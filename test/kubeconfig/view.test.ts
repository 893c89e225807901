import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { loadKubeconfig } from '@kgen/runtime/kubeconfig';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readable } from './cases.ts';
import { kubectlJson, pathOfKubectl, titled } from './kubectl.ts';
import { comparable, viewOf } from './view.ts';

const path = pathOfKubectl();
let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kgen-view-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe.skipIf(path === undefined)(titled('the runtime reads the same configuration as kubectl'), () => {
  const shown = (names: readonly string[], ...args: readonly string[]): unknown =>
    comparable(kubectlJson(path ?? '', dir, names, ['config', 'view', '--raw', ...args]));

  it.each(Object.entries(readable))('%s', async (_, files) => {
    const names = ['missing', ...Object.keys(files)];
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
    const env = { KUBECONFIG: names.map((name) => join(dir, name)).join(delimiter) };
    const kubeconfig = await loadKubeconfig({ env });
    expect(viewOf(kubeconfig)).toEqual(shown(names));
    if (kubeconfig.currentContext === '') return;
    expect(viewOf(kubeconfig, { minify: true })).toEqual(shown(names, '--minify'));
  });
});
