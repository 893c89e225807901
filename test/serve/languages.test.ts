/** The programs of docs/serve.md in Go, Python and Rust, with a server that `kgen serve` has started. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { startServe, temporaryFolder } from './started.ts';

const page = readFileSync(join(repository, 'docs/serve.md'), 'utf8');

/** Builds outlive the tests. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kgen/serve');

/** Release of the Python package. */
const python = 'kubernetes==37.0.2';

/** Returns the command of a program, which is built in a folder. */
type Build = (source: string, folder: string) => readonly string[];

const languages: Readonly<Record<string, Build>> = {
  go(source, folder) {
    cpSync(join(repository, 'test/client-go/go'), folder, { recursive: true });
    writeFileSync(join(folder, 'main.go'), source);
    run('go', ['build', '-o', 'program', '.'], folder, { CGO_ENABLED: '0', GOWORK: 'off' });
    return [join(folder, 'program')];
  },
  python(source, folder) {
    const packages = join(cache, python.replace('==', '-'));
    if (!existsSync(packages)) {
      const partial = `${packages}.${process.pid}`;
      run('python3', ['-m', 'pip', 'install', '--quiet', '--target', partial, python], folder);
      renameSync(partial, packages);
    }
    writeFileSync(join(folder, 'program.py'), source);
    return ['env', `PYTHONPATH=${packages}`, 'python3', join(folder, 'program.py')];
  },
  rust(source, folder) {
    for (const name of ['Cargo.toml', 'Cargo.lock'])
      cpSync(join(import.meta.dirname, 'rust', name), join(folder, name));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/main.rs'), source);
    // Without optimization: the crates take about a minute on two processors.
    run('cargo', ['build', '--quiet', '--locked', '--target-dir', join(cache, 'rust')], folder);
    return [join(cache, 'rust/debug/serve-example')];
  },
};

function run(command: string, args: readonly string[], cwd: string, env: object = {}): void {
  execFileSync(command, args, { cwd, stdio: 'pipe', env: { ...process.env, ...env } });
}

test.each(Object.entries(languages))(
  'a program in %s uses the server',
  { timeout: 900_000 },
  async (language, build) => {
    const [, source = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
    const [command = '', ...args] = build(source, temporaryFolder());
    const kubeconfig = await startServe(['--quiet']).line;
    const child = spawn(command, args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(output.trim().split('\n').sort(), errors).toEqual([`from-${language}`, 'kube-root-ca.crt']);
  },
);
