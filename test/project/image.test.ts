/** A new project in an image and in an executable: bundled by the command, and run without the packages. */
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { RESTClient, resource } from '@kgen/runtime';
import { dynamicResource } from '@kgen/runtime/dynamic';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { peerFolder } from '../support/peer.mjs';

const run = promisify(execFile);
/** Folder of the project. */
let cwd = '';
let server: TestServer;
/** Folder of the programs that run, with nothing else in it. */
let empty = '';

const kgen = async (line: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const args = [join(repository, 'src/kgen/bin/kgen.js'), ...line.split(' ').filter((word) => word !== '')];
  return (await run(process.execPath, args, { cwd, env: { ...process.env, ...env } })).stdout;
};
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init shop-operator --domain example.com');
  await kgen('create api --group shop --version v1 --kind Cart');
  const operator = read('src/operator.ts').replace('port: 8443', 'port: 0').replace('port: 8081', 'port: 0');
  writeFileSync(join(cwd, 'src/operator.ts'), operator);
  await kgen('');
  server = await startTestServer({ crds: [join(cwd, 'config/crd')] });
  empty = mkdtempSync(join(tmpdir(), 'kgen-image-'));
  writeFileSync(join(empty, 'kubeconfig.yaml'), server.kubeconfig);
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(cwd, { recursive: true });
  rmSync(empty, { recursive: true });
});

const carts = dynamicResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Cart',
  resource: 'carts',
  scope: 'Namespaced',
});

/** Runs a program in the folder until it has reconciled an object, and returns its output. */
async function reconciles(name: string, command: string, ...args: readonly string[]): Promise<string> {
  const rest = new RESTClient(server.config);
  const objects = resource(rest, carts).in('default');
  await objects.create({
    apiVersion: 'shop.example.com/v1',
    kind: 'Cart',
    metadata: { name },
    spec: { replicas: 1 },
  });
  const program = spawn(command, [...args], { cwd: empty, env: { KUBECONFIG: 'kubeconfig.yaml' } });
  const output = Promise.all([text(program.stdout), text(program.stderr)]).then((both) => both.join(''));
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  const early = ended.then(async () => Promise.reject(new Error(await output)));
  const isReady = (object: unknown): boolean => /"observedGeneration":1/.test(JSON.stringify(object ?? {}));
  await Promise.race([objects.waitFor(name, isReady), early]);
  early.catch(() => undefined);
  program.kill('SIGTERM');
  expect(await ended, await output).toBe(0);
  await rest.close();
  return output;
}

/** Flags with which a program reads one folder and writes none. */
const [major = 0] = process.versions.node.split('.').map(Number);
const readOnly = [major < 24 ? '--experimental-permission' : '--permission', '--allow-worker'];

describe('kgen build', () => {
  test('writes an image of at most 3 MB beyond its base', async () => {
    const output = await kgen('build');
    const [, size = ''] = /^dist\/app: (\S+) MB, which the image has beyond its base$/m.exec(output) ?? [];
    expect(Number(size)).toBeGreaterThan(0.5);
    expect(Number(size)).toBeLessThan(3);
    expect(output).toContain('Next: docker build --tag shop-operator:latest dist\n');
    await expect(read('dist/Dockerfile')).toMatchFileSnapshot('./Dockerfile.golden.txt');
    expect(await kgen('build')).not.toMatch(/created|updated/);
  });

  test('collects the licences of the packages, and no source map in the image', () => {
    const licences = read('dist/app/LICENSES.txt');
    expect(licences).toMatch(/^== undici \S+, MIT\n\nMIT License\n/m);
    expect(licences).toMatch(/^== @kgen\/controller 0\.1\.0, Apache-2\.0$/m);
    expect(licences).not.toContain('shop-operator');
    const program = read('dist/app/operator.mjs');
    expect(program).not.toContain('sourceMappingURL');
    // Of ASCII Node.js keeps one byte for each character; legal comments of packages stay as they are.
    const code = program.replace(/\/\*![\s\S]*?\*\//g, '');
    expect(Buffer.byteLength(code)).toBe(code.length);
    expect(JSON.parse(read('dist/maps/operator.mjs.map'))).toMatchObject({
      sources: expect.arrayContaining(['src/main.ts', 'src/controllers/cart.ts']),
    });
  });

  test('makes a program that needs no packages and writes no files, with its election in a thread', async () => {
    cpSync(join(cwd, 'dist/app/operator.mjs'), join(empty, 'operator.mjs'));
    const flags = [...readOnly, `--allow-fs-read=${empty}`];
    const output = await reconciles('image', process.execPath, ...flags, 'operator.mjs');
    expect(output).toContain('reconciled image');
    expect(output).not.toContain('election-worker');
  });

  test('keeps files of the author, and writes nothing then', async () => {
    const file = join(cwd, 'own/Dockerfile');
    cpSync(join(cwd, 'README.md'), file);
    await expect(kgen('build --out own')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('own/Dockerfile: error: kgen must write here and finds a file that'),
    });
  });

  test.each([
    ['src/missing.ts', 'error: Cannot resolve entry module src/missing.ts'],
    ['src/broken.ts', 'src/broken.ts:2:8: error: Expected a semicolon'],
    ['src/alone.ts', "src/alone.ts:1:8: error: Could not resolve 'no-such-package': install the package"],
  ])('reports why %s cannot be bundled', async (entry, message) => {
    writeFileSync(join(cwd, 'src/broken.ts'), 'export const a = 1;\nconst b 2;\n');
    writeFileSync(join(cwd, 'src/alone.ts'), "import 'no-such-package';\n");
    await expect(kgen(`build ${entry}`)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  });
});

if (major < 24) {
  test('kgen build --single names the versions of Node.js that can', async () => {
    await expect(kgen('build --single')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: a single executable needs Node 24 or later, and this is 2/),
    });
  });
} else {
  test('kgen build --single makes an executable', { timeout: 120_000 }, async () => {
    await expect(kgen('build --single')).rejects.toMatchObject({
      stderr: expect.stringContaining('npm install --save-dev postject'),
    });
    const peer = peerFolder('postject', '1.0.0-alpha.6') ?? '';
    const env = { NODE_PATH: join(peer, 'node_modules') };
    expect(await kgen('build --single', env)).toMatch(/^dist\/shop-operator: \d+\.\d MB$/m);
    copyFileSync(join(cwd, 'dist/shop-operator'), join(empty, 'shop-operator'));
    const output = await reconciles('single', join(empty, 'shop-operator'));
    expect(output).toContain('reconciled single');
    expect(output).not.toMatch(/election-worker|Warning/);
  });
}
