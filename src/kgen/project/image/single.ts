/** The program of an operator as one executable, which contains Node.js. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { error, type InputProblem } from '../../common/problems.ts';
import { packageFacts } from '../../manifests/manifests.ts';
import { guarded } from '../../write/write.ts';
import { bundleOperator } from './bundle.ts';
import type { ImageOptions } from './image.ts';

/** Result of `buildSingle`. */
export interface SingleResult {
  /** Path of the executable, relative to the project; absent if there are errors. */
  readonly file?: string;
  /** Its bytes. */
  readonly size: number;
  readonly problems: readonly InputProblem[];
}

/** Writes an executable with the name of the package, for the system and Node.js of this process. */
export async function buildSingle(options: ImageOptions): Promise<SingleResult> {
  const { cwd = process.cwd(), entry = 'src/main.ts', out = 'dist', mode = 'write' } = options;
  const steps = stepsOf(cwd, process.versions.node);
  if (typeof steps === 'string') return refused([error(steps)]);
  const bundled = await bundleOperator({
    cwd,
    entry,
    header: '// Bundled by kgen.',
    base: 'process.execPath',
  });
  const { value: bundle, problems } = bundled;
  if (bundle === undefined) return refused(problems);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const name = `${packageFacts(cwd).name}${suffix}`;
  const file = `${out}/${name}`;
  if (mode === 'dry-run') return { file, size: 0, problems };
  const folder = { path: resolve(cwd, out), shown: out };
  const { value: failure, problems: faults } = guarded(folder, undefined, () => {
    mkdirSync(folder.path, { recursive: true });
    const work = mkdtempSync(join(folder.path, '.kgen-single-'));
    try {
      writeFileSync(join(work, 'operator.mjs'), bundle.program);
      writeFileSync(join(work, 'main.cjs'), mainText);
      const failed = failureOf(steps(work));
      if (failed === undefined) renameSync(join(work, 'executable'), join(folder.path, name));
      return failed;
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
  const failures = [...faults, ...(failure === undefined ? [] : [error(failure)])];
  if (failures.length > 0) return refused([...problems, ...failures]);
  return { file, size: statSync(join(folder.path, name)).size, problems };
}

function refused(problems: readonly InputProblem[]): SingleResult {
  return { size: 0, problems };
}

/**
 * Main script of the executable, which Node 24 reads as CommonJS only. The program is an ES module, which may
 * await at its top level.
 */
const mainText = `const { registerHooks } = require('node:module');
const { getAsset } = require('node:sea');
const vm = require('node:vm');
const url = 'kgen:operator';
registerHooks({
  resolve: (name, context, next) =>
    name === url ? { url, format: 'module', shortCircuit: true } : next(name, context),
  load: (loaded, context, next) =>
    loaded === url
      ? { source: getAsset('operator', 'utf8'), format: 'module', shortCircuit: true }
      : next(loaded, context),
});
vm.runInThisContext(\`import('\${url}')\`, {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
`;

/** Command lines that build `executable` in a folder that contains the scripts. */
type Steps = (work: string) => readonly (readonly string[])[];

/** Returns the command lines for a version of Node.js, or why there are none. */
function stepsOf(cwd: string, version: string): Steps | string {
  const node = process.execPath;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 24)
    return `a single executable needs Node 24 or later, and this is ${version}: run kgen build --single with it, or build an image`;
  if (major > 25 || (major === 25 && minor >= 5))
    return (work) => [[node, '--build-sea', configure(work, 'executable')]];
  const postject = postjectOf(cwd);
  if (postject === undefined)
    return 'a single executable of Node 24 needs postject: npm install --save-dev postject';
  const isMac = process.platform === 'darwin';
  const options = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
  if (isMac) options.push('--macho-segment-name', 'NODE_SEA');
  return (work) => {
    const [executable, blob] = [join(work, 'executable'), join(work, 'blob')];
    copyFileSync(node, executable);
    return [
      [node, '--experimental-sea-config', configure(work, 'blob')],
      ...(isMac ? [['codesign', '--remove-signature', executable]] : []),
      [node, postject, executable, 'NODE_SEA_BLOB', blob, ...options],
      ...(isMac ? [['codesign', '--sign', '-', executable]] : []),
    ];
  };
}

/** Writes the settings of the executable and returns their path. */
function configure(work: string, output: string): string {
  const path = join(work, 'sea.json');
  const settings = {
    main: join(work, 'main.cjs'),
    output: join(work, output),
    assets: { operator: join(work, 'operator.mjs') },
    disableExperimentalSEAWarning: true,
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'],
  };
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

/** Runs the command lines, and returns why one has failed. */
function failureOf(commands: readonly (readonly string[])[]): string | undefined {
  for (const [command = '', ...args] of commands) {
    const { status, stderr, error: cause } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) return `${command} ${args[0]} has failed: ${cause?.message ?? stderr.trim()}`;
  }
  return undefined;
}

function postjectOf(cwd: string): string | undefined {
  try {
    return join(dirname(createRequire(join(cwd, 'package.json')).resolve('postject')), 'cli.js');
  } catch {
    return undefined;
  }
}
