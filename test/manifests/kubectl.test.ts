/** YAML and the output of `dumpYaml`, as kubectl reads them. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dumpYaml, loadYaml } from '@kgen/runtime/yaml';
import { controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';

const availability = controlPlaneAvailability({});
const available = availability.available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const title = availability.available ? 'YAML and kubectl' : `YAML and kubectl: ${availability.reason}`;

const plain = [
  ...[
    'yes',
    'On',
    'Y',
    'n',
    'off',
    'TRUE',
    'tRue',
    '~',
    'NULL',
    'nULL',
    '1_000',
    '012',
    '08',
    '0o7',
    '0o8',
    '0x1F',
  ],
  ...[
    '+0x_1f',
    '-0b11',
    '1e3',
    '685.230_15e+03',
    '.5',
    '.5_0',
    '5.',
    '1._5',
    '-_1',
    '_1',
    '1_',
    '1e400',
    '1:30',
  ],
  ...[
    '2001-12-14',
    '2001-12-14 21:59:43.10 -5',
    '1.2.3',
    '=',
    '.',
    '0b2',
    '0x',
    '1e',
    '1,000',
    '9007199254740991',
  ],
  ...['"yes"', "'0x1'", '!!str 5', '!!int "3"', '!!binary aGVsbG8=', '!ours text', '!!timestamp 2001-12-14'],
];

const texts = [
  ...[
    '',
    'yes',
    'y',
    'null',
    '~',
    '=',
    '<<',
    '1_000',
    '1e_3',
    '0o7',
    '012',
    '.inf',
    '2001-12-14',
    '1:30',
    '---',
    '- a',
  ],
  ...[
    'a: b',
    'a #b',
    ' a',
    'a ',
    '\n',
    'a\n',
    'a\n\n',
    '\na',
    '  a\nb',
    'a\n ',
    'a\n\tb',
    '%a',
    '*x',
    '|',
    '\\',
    'a\r\nb',
  ],
  ...['\u0001', '\u0085', '\u2028', '\ufeff', '😀', '10.0.0.1', '__proto__', `${'long '.repeat(50)}end`],
];

interface ConfigMap {
  readonly metadata: { readonly annotations?: object; readonly name: string };
  readonly data?: Readonly<Record<string, unknown>>;
}

let server: SharedPlane | undefined;
let folder: string | undefined;

/** Returns the object that kubectl would send, without validation by the server. */
async function read(yaml: string): Promise<ConfigMap> {
  if (server === undefined || folder === undefined) throw new Error('the server does not run');
  const [kubeconfig, file] = [join(folder, 'config'), join(folder, 'objects.yaml')];
  await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 });
  await writeFile(file, yaml);
  const create = ['create', '--dry-run=client', '--validate=false', '-o', 'json', '-f', file];
  const { stdout } = await promisify(execFile)(
    join(server.assets, 'kubectl'),
    ['--kubeconfig', kubeconfig, '--cache-dir', folder, ...create],
    { maxBuffer: 2 ** 26 },
  );
  // kubectl prints the object that it read.
  return JSON.parse(stdout) as ConfigMap;
}

describe.skipIf(!available)(title, { timeout: 60_000 }, () => {
  beforeAll(async () => {
    server = await sharedPlane();
    folder = await mkdtemp(join(tmpdir(), 'kgen-kubectl-'));
  });
  afterAll(async () => {
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('parses plain scalars like kubectl', async ({ skip }) => {
    if (server === undefined || !existsSync(join(server.assets, 'kubectl'))) skip('kubectl is not built');
    const lines = plain.map((scalar, index) => `  k${index}: ${scalar}\n`);
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n${lines.join('')}`;
    const [theirs, ours] = [await read(text), await loadYaml<ConfigMap>(text)];
    expect(ours.data).toEqual(theirs.data);
  });

  it('parses the output of dumpYaml', async ({ skip }) => {
    if (server === undefined || !existsSync(join(server.assets, 'kubectl'))) skip('kubectl is not built');
    const data = Object.fromEntries([
      ...texts.map((text, index) => [`k${index}`, text]),
      ...texts.map((text) => [text, 'key']),
    ]);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
    expect((await read(await dumpYaml(object))).data).toEqual(data);
  });
});
