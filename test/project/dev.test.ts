/** `kgen dev` in a new project, whose files the author changes. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ActionResult } from 'kgen/commands';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Command, command } from '../support/command.ts';
import { repository } from '../support/emitted.ts';

const run = promisify(execFile);
let cwd = '';

const node = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [...args], { cwd })).stdout;
const kgen = (line: string): Promise<string> =>
  node(join(repository, 'src/kgen/bin/kgen.js'), ...line.split(' ').filter((word) => word !== ''));

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.com');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
});
afterAll(() => rmSync(cwd, { recursive: true }));

describe('kgen dev', () => {
  test('runs the operator in memory, and again after changes, with its objects', {
    timeout: 120_000,
  }, async () => {
    const { line } = dev();
    const [link = ''] = (await line('has the last reconciles')).split(' ');
    const [page = ''] = (await line('shows the operator in a browser')).split(' ');
    await line('reconciled cart-sample');
    // Written after the function returns, as the log is before.
    const reconciles = async (): Promise<string> => (await fetch(link)).text();
    await expect.poll(reconciles).toContain('cart default/cart-sample #1');
    const shown = async (): Promise<string> => (await fetch(page.replace('/?', '/document?'))).text();
    await expect.poll(shown).toContain(String.raw`\"controller\":\"cart\"`);
    expect(await (await fetch(page)).text()).toContain("connect-src 'self'");
    await playedTest(page);
    edit('src/controllers/cart.ts', 'replicas: cart', 'servers: cart');
    await line('servers: 1');
    edit('api/cart.ts', '@maximum 10', '@maximum 5');
    expect(await line('breaking')).toContain('api/cart.ts:5:');
    await line('of 1 stored objects, 0 become invalid');
    await line('runs with the present files');
    writeFileSync(join(cwd, 'samples/third.yaml'), sample('third'));
    await line('reconciled third');
  });

  test('follows a field that the program uses at once', { timeout: 120_000 }, async () => {
    const { line } = dev();
    await line('cart-sample');
    edit('src/controllers/cart.ts', /`reconciled .*?`/, "['color', cart.spec.color, name].join(' ')");
    edit('api/cart.ts', 'Int32;\n', 'Int32;\n  /** @default "red" */\n  color?: string;\n');
    await line('color red cart-sample');
  });

  test('calls its webhooks in memory, also for its samples', { timeout: 120_000 }, async () => {
    writeFileSync(join(cwd, 'src/webhooks.ts'), webhookModule);
    edit('src/operator.ts', 'const name', "import { served } from './webhooks.js';\nconst name");
    edit('src/operator.ts', '  return manager', '  manager.add(served());\n  return manager');
    writeFileSync(join(cwd, 'samples/fourth.yaml'), sample('fourth'));
    const { line } = dev();
    await line('color green fourth');
    edit('src/webhooks.ts', "'green'", "'blue'");
    writeFileSync(join(cwd, 'samples/fifth.yaml'), sample('fifth'));
    await line('color blue fifth');
    edit('kgen.config.js', 'deployment: {}', 'deployment: { replicas: 3 }');
    await line('runs with the present files');
    expect(readFileSync(join(cwd, 'config/install.yaml'), 'utf8')).toContain('\n  replicas: 3\n');
  });
});

/** Performs actions of the page, and runs the test that repeats them. */
async function playedTest(page: string): Promise<void> {
  const cart = {
    apiVersion: 'shop.example.com/v1alpha1',
    kind: 'Cart',
    namespace: 'default',
    name: 'played',
  };
  const created = sample('played').replace('spec: {}', 'spec: { replicas: 2 }');
  const statusFails = { verb: 'patch', resource: 'carts', times: 1, effect: '500' };
  const state = async (): Promise<unknown> => (await acted(page, { type: 'state' })).value;
  await acted(page, { type: 'failNext', ...statusFails });
  await acted(page, { type: 'create', yaml: created });
  const update = { base: created, yaml: created.replace('replicas: 2', 'replicas: 3') };
  await acted(page, { type: 'kill' });
  expect(await state()).toMatchObject({ isRunning: false });
  await acted(page, { type: 'update', ...update });
  await acted(page, { type: 'restart' });
  await acted(page, { type: 'advanceTime', ms: 60_000 });
  const stored = async (): Promise<unknown> => (await acted(page, { type: 'test' })).value;
  // The operator has written the status of the changed object.
  await expect.poll(stored).toContain("name: 'played'");
  await expect.poll(stored).toContain('observedGeneration: 2');
  writeFileSync(join(cwd, 'test/played.test.ts'), String(await stored()));
  await node(join(repository, 'node_modules/typescript/bin/tsc'), '--noEmit');
  await node(join(repository, 'node_modules/vitest/vitest.mjs'), 'run', 'test/played.test.ts');
  await acted(page, { type: 'delete', ...cart });
}

async function acted(page: string, action: object): Promise<ActionResult> {
  const response = await fetch(page.replace('/?', '/act?'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(page).origin },
    body: JSON.stringify(action),
  });
  const result = (await response.json()) as ActionResult; // seam: the response of the page's server
  expect(result).toMatchObject({ isDone: true });
  return result;
}

/** Starts `kgen dev`, which ends with the test. The next line rejects if the operator does not follow. */
function dev(): Command {
  const program = join(repository, 'src/kgen/bin/kgen.js');
  return command([program, 'dev'], cwd, /stays as it is|does not start|next change/);
}

function sample(name: string): string {
  return `apiVersion: shop.example.com/v1alpha1
kind: Cart
metadata:
  name: ${name}
spec: {}
`;
}

const webhookModule = `import { defaults, webhooks } from '@kgen/controller/webhooks';
import { carts } from '../generated/shop.example.com/v1alpha1/index.js';

const handlers = [defaults(carts, { operations: ['CREATE'], handle: () => ({ spec: { color: 'green' } }) })];
export const served = () => webhooks({ handlers });
`;

function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(cwd, path), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(cwd, path), text.replace(from, to));
}
