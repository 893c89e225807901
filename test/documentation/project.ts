/**
 * A folder that looks like a user's project, in which the programs of the documentation are compiled and run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpYaml, loadYaml } from '@kgen/runtime/yaml';
import { startTestServer } from '@kgen/testserver';
import { type Complaint, complaints, programOf } from '../support/checker.ts';
import { root } from './pages.ts';
import { nodes, runProcesses, workloads } from './workloads.ts';

const packages: Readonly<Record<string, string>> = {
  '@kgen/runtime': 'src/runtime',
  '@kgen/controller': 'src/controller',
  '@kgen/certificates': 'src/certificates',
  '@kgen/schema': 'src/schema',
  '@kgen/testserver': 'src/testserver',
  '@kgen/testing': 'src/testing',
  '@kgen/kubernetes': 'generated/kubernetes',
  kgen: 'src/kgen',
  'fast-check': 'node_modules/fast-check',
  vitest: 'node_modules/vitest',
  zod: 'node_modules/zod',
  '@types': 'node_modules/@types',
};

/**
 * Imports the programs that are named as arguments, one after the other. `SIGNAL:FILE` sends the signal once
 * the program has written its first output.
 */
const runner = `
for (const argument of process.argv.slice(2)) {
  const [file, signal] = argument.split(':').reverse();
  const streams = [process.stdout, process.stderr];
  let isSent = signal === undefined;
  for (const stream of streams) {
    const write = stream.write;
    stream.write = (...args) => {
      if (!isSent) setImmediate(() => process.kill(process.pid, signal));
      isSent = true;
      return write.apply(stream, args);
    };
  }
  await import('./' + file);
  for (const stream of streams) delete stream.write;
}
process.exit();
`;

/**
 * Time limit of a program, in milliseconds: a longer run is terminated and fails its test, since it waits for
 * an event that never occurs.
 */
const longestRunMs = 25_000;

/** Outcome of a process. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/**
 * A folder with the packages as they are built, the output of kgen for the sample definitions, and the
 * definitions.
 */
export interface Project {
  readonly folder: string;
  /** Compiles files with the strictest flags, writes their JavaScript, and returns the diagnostics. */
  compile(files: Readonly<Record<string, string>>): readonly Complaint[];
  /** Runs compiled files in one process against a new API server in memory. */
  run(files: readonly string[]): Promise<Outcome>;
  remove(): void;
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-documentation-'));
  mkdirSync(join(folder, 'node_modules/@kgen'), { recursive: true });
  for (const [name, path] of Object.entries(packages)) {
    symlinkSync(join(root, path), join(folder, 'node_modules', name));
  }
  const kgen = ['src/kgen/bin/kgen.js', 'crds/*.yaml', '--out', join(folder, 'generated'), '--definitions'];
  execFileSync(process.execPath, kgen, { cwd: root });
  // Examples import it from where it is in this repository.
  cpSync(join(root, 'generated/crds'), join(folder, 'generated/crds'), { recursive: true });
  for (const name of ['crds', 'examples/demo', 'examples/manifests', 'examples/operators/myapp']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const path of ['dist/index.html', 'manifests/web.yaml', 'apps/web/app.yml', 'rbac/role.yaml']) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), manifestOf(path.replace(/\W/g, '-')));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'run.js'), runner);
  return folder;
}

const manifestOf = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

/** The kubeconfig of the server, with a second context `staging`. */
async function writeKubeconfig(folder: string, text: string): Promise<string> {
  const path = join(folder, 'kubeconfig.yaml');
  const kubeconfig = await loadYaml<{ contexts: { name: string; context: object }[] }>(text);
  const [first] = kubeconfig.contexts;
  if (first === undefined) throw new Error('the kubeconfig has no context');
  writeFileSync(path, await dumpYaml({ ...kubeconfig, contexts: [first, { ...first, name: 'staging' }] }));
  return path;
}

/** Returns the variables of this process without those of other clusters and proxies. */
function environment(kubeconfig: string): Readonly<Record<string, string | undefined>> {
  const { KUBERNETES_SERVICE_HOST: _, NODE_OPTIONS: __, VITEST: ___, ...env } = process.env;
  return { ...env, KUBECONFIG: kubeconfig };
}

/** Runs Node in a folder and returns its output. */
export function runNode(folder: string, args: readonly string[], kubeconfig: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: environment(kubeconfig), timeout: longestRunMs };
    const child = spawn(process.execPath, [...args], options);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

/** Starts an API server in memory that serves the sample definitions. */
export async function withServer<T>(folder: string, work: (kubeconfig: string) => Promise<T>): Promise<T> {
  const crds = ['foo', 'myapp', 'rediscluster', 'showcase'].map((name) => join(root, `crds/${name}.yaml`));
  const server = await startTestServer({ crds, namespaces: ['shop', 'bank'], objects: workloads, nodes });
  try {
    runProcesses(server, folder);
    return await work(await writeKubeconfig(folder, server.kubeconfig));
  } finally {
    await server.stop();
  }
}

/** Returns a program whose endpoints and forwarded ports are free ones. */
function withFreePorts(text: string): string {
  return text.replace(/((?:metrics|health): \{ port: )\d+/g, '$10').replace(/'\d+:(\d+)'/g, "':$1'");
}

/** Creates the folder. */
export function createProject(): Project {
  const folder = createFolder();
  return {
    folder,
    compile(files) {
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder, name), withFreePorts(text));
      const options = { isolatedDeclarations: false, declaration: false, noEmit: false, outDir: folder };
      const program = programOf(folder, Object.keys(files), { ...options, rootDir: folder });
      const found = complaints(program, folder);
      program.emit();
      return found;
    },
    run: (files) => withServer(folder, (kubeconfig) => runNode(folder, ['run.js', ...files], kubeconfig)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
