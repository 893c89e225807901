// The operators: on kgen as a bundle; in Go and in Rust as small programs in modules of their own, built once
// into a cache folder outside the repository.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kgen', 'bench', 'operators');

/**
 * Returns the command of the operator on the packages of a checkout, in a project that has them: one file, as
 * `kgen build` makes it, with the flags of its images unless KGEN_BENCH_FLAGS is set.
 */
export async function kgenOperator({ node, root, tree, project }) {
  const kgen = join(tree, 'src/kgen');
  const args = [join(kgen, 'bin/kgen.js'), join(root, 'crds/foo.yaml'), '--emit', 'js'];
  const { status, stderr } = spawnSync(node, [...args, '--out', join(project, 'foos')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the client of Foos was not generated:\n${stderr}`);
  for (const file of ['protocol.mjs', 'tape.mjs', 'kgen.mjs'])
    copyFileSync(join(root, 'test/bench/operators', file), join(project, file));
  symlinkSync(realpathSync(join(root, 'node_modules/rolldown')), join(project, 'node_modules/rolldown'));
  const { bundleOperator } = await import(join(kgen, 'dist/project/image/bundle.js'));
  const options = { cwd: project, entry: 'kgen.mjs', header: '', base: 'import.meta.url' };
  const { value, problems } = await bundleOperator(options);
  if (value === undefined) throw new Error(`the operator was not bundled: ${JSON.stringify(problems)}`);
  writeFileSync(join(project, 'operator.mjs'), value.program);
  const flags = (process.env.KGEN_BENCH_FLAGS ?? '--max-semi-space-size=8').split(' ');
  return { command: node, args: ['--expose-gc', ...flags, 'operator.mjs'], cwd: project };
}

/** Returns the command of the operator on controller-runtime; throws if it cannot be built. */
export async function goOperator(root) {
  return { command: goProgram(root, { name: 'go', folder: '.' }) };
}

/** Returns the path of a program of the Go module, which is built if it is missing; throws if it fails. */
export function goProgram(root, { name, folder }) {
  const module = join(root, 'test/bench/operators/go');
  const program = programOf(name, module, ['.', folder]);
  if (existsSync(program)) return program;
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  build(['go', 'build', '-trimpath', '-o', `${program}.partial`, `./${folder}`], { cwd: module, env });
  renameSync(`${program}.partial`, program);
  return program;
}

/**
 * Returns the command of the operator on kube-rs. Prints the reason and returns undefined if it cannot be
 * built.
 */
export async function rustOperator(root) {
  const module = join(root, 'test/bench/operators/rust');
  const program = programOf('rust', module, ['.', 'src']);
  if (existsSync(program)) return { command: program };
  const target = join(cache, 'rust-target');
  try {
    build(['cargo', 'build', '--release', '--locked', '--target-dir', target], { cwd: module });
  } catch (error) {
    console.log(`without kube-rs: ${error.message}`);
    return undefined;
  }
  copyFileSync(join(target, 'release', 'operator'), `${program}.partial`);
  renameSync(`${program}.partial`, program);
  return { command: program };
}

/** Returns the path of a program, which contains the digest of its sources. */
function programOf(language, module, folders) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(join(module, folder), { withFileTypes: true }).filter((one) => one.isFile());
    for (const { name } of files.sort((a, b) => (a.name < b.name ? -1 : 1)))
      hash.update(readFileSync(join(module, folder, name)));
  }
  mkdirSync(cache, { recursive: true });
  return join(cache, `${language}-${hash.digest('hex').slice(0, 16)}`);
}

function build([command, ...args], options) {
  const { status, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(error?.code === 'ENOENT' ? `${command} is not installed` : `${command} failed:\n${stderr}`);
}
