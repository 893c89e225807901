import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitted } from '../support/emitted.ts';
import { createProject, type Project } from '../support/project.ts';

let project: Project | undefined;

beforeAll(async () => {
  project = createProject({ links: ['run'] });
  project.write((await emitted(['crds/*.yaml'], { emit: 'js' })).files, 'js');
  project.write((await emitted(['crds/*.yaml'], { importExtension: '.ts' })).files, 'ts');
});

afterAll(() => project?.dispose());

/** Creates a clientset and prints its members; `output` is the module of the output. */
const tour = `
const { Clientset, InformerFactory } = output;
const clientset = new Clientset({ server: 'https://127.0.0.1:1' });
const informers = new InformerFactory(clientset);
const groups = Object.keys(clientset).filter((name) => !['rest', 'close'].includes(name)).sort();
console.log(JSON.stringify({ groups, informer: typeof informers.cacheV1.redisClusters, get: typeof clientset.cacheV1.redisClusters('shop').get }));
`;

function run(file: string, text: string): unknown {
  const folder = project?.folder ?? '';
  project?.write({ [file]: text });
  return JSON.parse(
    execFileSync(process.execPath, ['--no-warnings', join(folder, file)], { encoding: 'utf8' }),
  );
}

const offer = {
  groups: ['cacheV1', 'cacheV1alpha1', 'featuresV1', 'featuresV2', 'myV1', 'samplecontrollerV1alpha1'],
  informer: 'function',
  get: 'function',
};

describe('generated output runs without a build', () => {
  test('as JavaScript with import', () => {
    expect(run('import.mjs', `import * as output from './js/index.js';${tour}`)).toEqual(offer);
  });

  test('as JavaScript with require', () => {
    expect(run('require.cjs', `const output = require('./js/index.js');${tour}`)).toEqual(offer);
  });

  test('as one group version', () => {
    const code = `
      import { foos } from './js/samplecontroller.c9g.io/v1alpha1/index.js';
      console.log(JSON.stringify({ kind: foos.kind, plural: foos.plural, frozen: Object.isFrozen(foos) }));`;
    expect(run('alone.mjs', code)).toEqual({ kind: 'Foo', plural: 'foos', frozen: true });
  });

  // Node.js runs TypeScript since version 22.18.
  if (Reflect.get(process.features, 'typescript')) {
    test('as TypeScript in a Node.js version that strips types', () => {
      expect(run('strip.ts', `import * as output from './ts/index.ts';${tour}`)).toEqual(offer);
    });
  }
});
