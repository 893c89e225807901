/** Kinds of other operators and of Kubernetes in a project: their files, the compiler and their tests. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAuthority } from '@kgen/certificates/authority';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);
let cwd = '';

const node = async (path: string, ...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [join(repository, path), ...args], { cwd })).stdout;
const kgen = (line: string): Promise<string> =>
  node('src/kgen/bin/kgen.js', ...line.split(' ').filter((word) => word !== ''));
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

const definition = join(repository, 'crds/myapp.yaml');
const external = 'external/my.domain_myapps.yaml';

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.org');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
  await kgen(`create api --external my.domain/v1/MyApp --from ${definition} --controller`);
  await kgen('create api --external apps/v1/Deployment --controller');
}, 120_000);
afterAll(() => rmSync(cwd, { recursive: true }));

describe('kinds of others', () => {
  test('have a client and permissions, and are not installed', { timeout: 120_000 }, async () => {
    await kgen('');
    expect(readdirSync(join(cwd, 'config/crd'))).toEqual(['shop.example.org_carts.yaml']);
    expect(read('generated/my.domain/v1/index.ts')).toContain('export const myApps');
    expect(read('config/rbac/role.yaml')).toMatch(/apiGroups: \[my\.domain\]\n +resources: \[myapps\]/);
    const folders = ['chart', 'crd'].map((path) => join(cwd, 'config', path));
    const installed = [join(cwd, 'config/install.yaml'), ...folders.flatMap(filesBelow)];
    const names = installed.flatMap(
      (path) => readFileSync(path, 'utf8').match(/(?<=name: )\w+\.(?:\w+\.)+\w+$/gm) ?? [],
    );
    expect([...new Set(names)]).toEqual(['carts.shop.example.org']);
    expect(await kgen('--check')).toContain('config is up to date\n');
  });

  test('compile, and pass their table tests', { timeout: 240_000 }, async () => {
    expect(await node('node_modules/typescript/bin/tsc', '--noEmit')).toBe('');
    const files = ['test/cart.test.ts', 'test/myapp.test.ts', 'test/deployment.test.ts'];
    await node('node_modules/vitest/vitest.mjs', 'run', ...files);
  });

  test('come from an address, unless it has no definition of them', { timeout: 120_000 }, async () => {
    const { address, authority } = await servePages(
      new Map([
        ['/myapp.yaml', readFileSync(definition, 'utf8')],
        ['/page', '<!doctype html>\n<html>\n<head><title>a: page</title></head>\n</html>\n'],
      ]),
    );
    writeFileSync(join(cwd, 'authority.pem'), authority);
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(cwd, 'authority.pem') };
    const from = (name: string, path: string) => {
      const line = `create api --external ${name} --from ${address}${path}`;
      return run(process.execPath, [join(repository, 'src/kgen/bin/kgen.js'), ...line.split(' ')], {
        cwd,
        env,
      });
    };
    const before = read(external);
    writeFileSync(join(cwd, external), '');
    expect((await from('my.domain/v1/MyApp', '/myapp.yaml')).stdout).toContain(`rewritten ${external}\n`);
    expect(read(external)).toBe(before);
    const refused: readonly (readonly [name: string, path: string, message: RegExp])[] = [
      [
        'my.domain/v1/MyApp',
        '/absent',
        /^\S+\/absent: error: the server responds with status 404: check the address\n$/,
      ],
      ['my.domain/v1/MyApp', '/page', /^\S+\/page:?\S* error: .*HTML/],
      [
        'my.domain/v1/Other',
        '/myapp.yaml',
        /does not define Other of my\.domain: it has my\.domain\/v1\/MyApp\n$/,
      ],
      ['my.domain/v2/MyApp', '/myapp.yaml', /myapps\.my\.domain does not serve v2: it serves v1\n$/],
    ];
    for (const [name, path, message] of refused) {
      const stderr = expect.stringMatching(message);
      await expect(from(name, path)).rejects.toMatchObject({ code: 1, stdout: '', stderr });
    }
    expect(read(external)).toBe(before);
  });

  test('come from a cluster, and replace an earlier definition', { timeout: 120_000 }, async () => {
    const server = await startTestServer({ crds: [definition] });
    const before = read(external);
    const kubeconfig = join(cwd, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    onTestFinished(async () => {
      writeFileSync(join(cwd, external), before);
      await server.stop();
    });
    writeFileSync(join(cwd, external), '');
    const from = (name: string) =>
      run(
        process.execPath,
        [
          join(repository, 'src/kgen/bin/kgen.js'),
          ...`create api --external ${name} --from cluster`.split(' '),
        ],
        { cwd, env: { ...process.env, KUBECONFIG: kubeconfig } },
      );
    expect((await from('my.domain/v1/MyApp')).stdout).toContain(`rewritten ${external}\n`);
    expect(read(external)).toContain('name: myapps.my.domain\n');
    await expect(from('my.domain/v1/Other')).rejects.toMatchObject({
      stderr: 'error: the cluster does not define Other of my.domain: it has my.domain/v1/MyApp\n',
    });
  });
});

/** Starts a server of texts by path until the test has finished; returns its address and its authority. */
async function servePages(
  pages: ReadonlyMap<string, string>,
): Promise<{ readonly address: string; readonly authority: string }> {
  const authority = createAuthority();
  const pair = authority.issueServer('pages', { names: ['localhost'], addresses: [] });
  const server = createServer(pair, ({ url = '' }, response) => {
    const page = pages.get(url);
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // seam: a server of TCP has a port
  return { address: `https://localhost:${port}`, authority: authority.cert };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
