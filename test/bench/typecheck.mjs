// What the generated client of argoproj.io/v1alpha1 costs a program that uses it, over an empty program.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleaved, line, median, wallMs } from './measure.mjs';

const settings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  },
};

const consumer = `
import { Clientset } from './generated/index.js';
import type { ClusterConfig } from '@kgen/runtime';

export async function run(config: ClusterConfig): Promise<string[]> {
  const clientset = new Clientset(config);
  const applications = clientset.argoprojV1alpha1.applications('argocd');
  await applications.create({
    metadata: { name: 'shop' },
    spec: { project: 'default', destination: { namespace: 'shop' }, source: { repoURL: 'https://example.com/shop.git', path: 'deploy' } },
  });
  await applications.patch('shop', { spec: { project: 'other' } });
  const names: string[] = [];
  for (const application of (await applications.list()).items) names.push(application.metadata.name);
  return names;
}
`;

export function benchTypecheck({ node, root, corpus, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-bench-'));
  mkdirSync(join(folder, 'node_modules/@kgen'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(realpathSync(join(root, 'src/runtime')), join(folder, 'node_modules/@kgen/runtime'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(realpathSync(join(root, 'node_modules', name)), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  wallMs(node, [
    join(root, 'src/kgen/bin/kgen.js'),
    join(corpus, 'crds/argo-cd'),
    '--out',
    join(folder, 'generated'),
  ]);
  writeFileSync(join(folder, 'consumer.ts'), consumer);
  writeFileSync(join(folder, 'empty.ts'), 'export {};\n');
  for (const name of ['consumer', 'empty']) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...settings, files: [`${name}.ts`] }));
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const raw = interleaved(rounds, {
    'tsc, empty program': () => wallMs(node, [tsc, '-p', join(folder, 'empty.json')]),
    'tsc, program with the client of argoproj.io': () =>
      wallMs(node, [tsc, '-p', join(folder, 'consumer.json')]),
  });
  rmSync(folder, { recursive: true });
  for (const [name, values] of Object.entries(raw)) console.log(line(name, values, 'ms'));
  const [empty, used] = Object.values(raw).map(median);
  return [
    {
      what: 'type-check of a program with argoproj.io/v1alpha1 over an empty one',
      value: used - empty,
      limit: 150,
      unit: 'ms',
    },
  ];
}
