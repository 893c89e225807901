import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./build.mjs', import.meta.url));
const deadline = { timeout: 20_000, interval: 20 };
const upstream = {
  Go: '1.24.0',
  GoDebug: [{ Key: 'default', Value: 'go1.24' }],
  Replace: [
    { Old: { Path: 'k8s.io/api' }, New: { Path: './staging/src/k8s.io/api' } },
    { Old: { Path: 'example.com/fork' }, New: { Path: 'example.com/other' } },
  ],
};

/** Replaces the Go tool: records its arguments, prints fixed results, and writes the requested file. */
const fakeGo = `#!/bin/sh
echo "$@" >> "$CALLS"
case "$1 $2" in
  "mod download") echo '{ "GoMod": "upstream.mod" }' ;;
  "mod edit") echo '${JSON.stringify(upstream)}' ;;
  "mod tidy") echo sums > go.sum ;;
esac
[ "$1" = build ] || exit 0
[ -z "$FAIL" ] || { echo "package is broken" >&2; exit 2; }
[ -z "$HANG" ] || exec sleep 600
while [ "$1" != -o ]; do shift; done
echo built > "$2"
`;

let root = '';
let children: ChildProcess[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kgen-test-'));
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin', 'go'), fakeGo);
  chmodSync(join(root, 'bin', 'go'), 0o755);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(root, { recursive: true });
});

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const fixed = {
    PATH: `${join(root, 'bin')}:/usr/bin:/bin`,
    XDG_CACHE_HOME: join(root, 'cache'),
    CALLS: join(root, 'calls'),
  };
  const child = spawn(process.execPath, [script, ...args], { env: { ...fixed, ...env } });
  children.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}

function calls(): readonly string[] {
  const path = join(root, 'calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

function folder(version: string): string {
  return join(root, 'cache', 'kgen', 'envtest', version);
}

it('builds once, and prints the folder', async () => {
  expect(await ended(start([]))).toMatchObject({ code: 0, stdout: `${folder('1.36.3')}\n` });
  expect(readdirSync(folder('1.36.3'))).toEqual(['etcd', 'kube-apiserver', 'kubectl']);
  expect(calls()).toHaveLength(3);
  expect(calls()[0]).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3');

  expect(await ended(start(['--controller-manager']))).toMatchObject({ code: 0 });
  expect(calls()).toHaveLength(4);
  expect(await ended(start(['--controller-manager']))).toEqual({
    code: 0,
    stdout: `${folder('1.36.3')}\n`,
    stderr: '',
  });
  expect(calls()).toHaveLength(4);
});

it('builds once if several processes start concurrently', async () => {
  const results = await Promise.all([1, 2, 3].map(() => ended(start(['etcd']))));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(calls()).toHaveLength(1);
  expect(readdirSync(join(root, 'cache', 'kgen', 'envtest'))).toEqual(['1.36.3']);
});

it('takes over the lock of a process that exited', async () => {
  mkdirSync(folder('1.36.3'), { recursive: true });
  const lock = `${folder('1.36.3')}.lock`;
  writeFileSync(lock, '');
  const past = new Date(Date.now() - 120_000);
  utimesSync(lock, past, past);
  expect(await ended(start(['etcd']))).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

it('reports a failed build, and leaves no partial files', async () => {
  const { code, stdout, stderr } = await ended(start(['etcd'], { FAIL: '1' }));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('`go build` ended with code 2:\npackage is broken');
  expect(readdirSync(folder('1.36.3'))).toEqual([]);
  expect(existsSync(`${folder('1.36.3')}.lock`)).toBe(false);
});

it.each(['SIGINT', 'SIGTERM', 'stdin'] as const)('leaves no files if it is terminated by %s', async (how) => {
  const child = start(['--end-with-stdin', 'etcd'], { HANG: '1' });
  const end = ended(child);
  await expect.poll(calls, deadline).toHaveLength(1);
  if (how === 'stdin') child.stdin?.end();
  else child.kill(how);
  expect(await end).toMatchObject({ code: 1, stderr: expect.stringMatching(/envtest: interrupted\n$/) });
  expect(readdirSync(join(root, 'cache', 'kgen', 'envtest'))).toEqual(['1.36.3']);
});

it('resolves the module of a version that is not pinned, once', async () => {
  expect(await ended(start(['--version', '1.33.13', 'kube-apiserver']))).toMatchObject({ code: 0 });
  expect(await ended(start(['--version', '1.33.13', 'kubectl']))).toMatchObject({ code: 0 });
  expect(calls().map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'mod download',
    'mod edit',
    'mod tidy',
    'build -mod=readonly',
    'build -mod=readonly',
  ]);
  expect(readdirSync(folder('1.33.13'))).toEqual(['kube-apiserver', 'kubectl', 'module']);
  expect(readFileSync(join(folder('1.33.13'), 'module', 'go.mod'), 'utf8')).toBe(
    `module kgen.test/envtest/kubernetes

go 1.24.0

godebug default=go1.24

require k8s.io/kubernetes v1.33.13

replace (
	k8s.io/api => k8s.io/api v0.33.13
)
`,
  );
});

it('uses KUBEBUILDER_ASSETS unchanged if it is complete', async () => {
  writeFileSync(join(root, 'etcd'), '');
  const env = { KUBEBUILDER_ASSETS: root };
  expect(await ended(start(['etcd'], env))).toMatchObject({ code: 0, stdout: `${root}\n` });
  expect(await ended(start(['kubectl'], env))).toMatchObject({ code: 0, stdout: `${folder('1.36.3')}\n` });
  expect(await ended(start(['--version', '1.36.3', 'etcd'], env))).toMatchObject({
    stdout: `${folder('1.36.3')}\n`,
  });
});

it.each([
  {
    args: [],
    code: 1,
    message: 'no `go` is on the PATH: install Go 1.26 or newer, or set KUBEBUILDER_ASSETS',
  },
  { args: ['--version', '1.35.0'], code: 1, message: 'no `go` is on the PATH: install Go 1.26 or newer\n' },
  { args: ['--optional'], code: 0, message: 'no `go` is on the PATH' },
  { args: ['--version', '../x'], code: 2, message: '--version must be like 1.36.3' },
  { args: ['kubelet'], code: 2, message: 'no such program: kubelet' },
  { args: ['--wrong'], code: 2, message: "Unknown option '--wrong'" },
])('fails without Go: $args', async ({ args, code, message }) => {
  const result = await ended(start(args, { PATH: join(root, 'nothing') }));
  expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
});
