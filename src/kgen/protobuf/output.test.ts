import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GenerateOptions, type GenerateResult, generate } from '../generate/generate.ts';

/** An API whose core group contains Binding, a built-in kind, beside unknown kinds. */
const openapi = [fileURLToPath(new URL('../../../test/golden/openapi.yaml', import.meta.url))];
const crds = [fileURLToPath(new URL('../../../crds', import.meta.url))];

let out = '';
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'kgen-protobuf-'));
});
afterEach(() => rmSync(out, { recursive: true }));

function run(options: GenerateOptions): Promise<GenerateResult> {
  return generate({ openapi, out, ...options });
}

/** Returns the paths of codecs in the output. */
function codecFiles(): readonly string[] {
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /(?:^|\/)protobuf\./.test(path)).sort();
}

describe('protobuf output', () => {
  test.each<readonly [string, GenerateOptions, readonly string[]]>([
    ['by default', {}, ['core/v1/protobuf.ts', 'meta/v1/protobuf.ts', 'protobuf.ts']],
    [
      'as JavaScript',
      { emit: 'js' },
      ['core/v1', 'meta/v1', '.'].flatMap((folder) =>
        ['d.ts', 'js'].map((ending) => join(folder, `protobuf.${ending}`)),
      ),
    ],
    ['with protobuf: false', { protobuf: false }, []],
    ['where no kind of Kubernetes is chosen', { include: ['bakery.example.com'] }, []],
    ['where no kind of those that are chosen is known', { include: ['core/v1/Space'] }, []],
    [
      'for what a subresource of a chosen kind takes',
      { include: ['core/v1/Baker'] },
      ['core/v1/protobuf.ts', 'meta/v1/protobuf.ts', 'protobuf.ts'],
    ],
  ])('%s', async (_what, options, want) => {
    expect((await run(options)).problems).toEqual([]);
    expect(codecFiles()).toEqual([...want].sort());
  });

  test('all: writes folders that have only codecs', async () => {
    expect((await run({ protobuf: 'all' })).problems).toEqual([]);
    expect(codecFiles()).toContain('extensions/v1beta1/protobuf.ts');
    expect(readdirSync(join(out, 'extensions/v1beta1'))).toEqual(['protobuf.ts']);
  });

  test('all: writes codecs without a selected built-in kind', async () => {
    expect((await run({ protobuf: 'all', include: ['bakery.example.com'] })).problems).toEqual([]);
    expect(codecFiles()).toContain('core/v1/protobuf.ts');
  });

  test('writes nothing for CRDs, whose output is unchanged', async () => {
    const { problems, changes } = await generate({ input: crds, out });
    expect(problems).toEqual([]);
    expect(changes.create.filter(({ path, after }) => `${path}\n${after}`.includes('protobuf'))).toEqual([]);
    const again = await generate({ input: crds, out, protobuf: false, mode: 'check' });
    expect(again.ok).toBe(true);
  });

  test('loads codecs only in descriptors of kinds with a codec', async () => {
    await run({});
    const index = readFileSync(join(out, 'core/v1/index.ts'), 'utf8');
    const descriptors = index.split('defineResource({').slice(1);
    expect(descriptors.length).toBeGreaterThan(1);
    const loading = descriptors.filter((text) => text.slice(0, text.indexOf('})')).includes('  protobuf,\n'));
    expect(loading.map((text) => /kind: '(\w+)'/.exec(text)?.[1])).toEqual(['Binding']);
  });
});

describe('an output with codecs', () => {
  beforeEach(() => run({ protobuf: 'all' }));

  test('is up to date for --check with the same settings', async () => {
    const { ok, problems, typeChanges } = await run({ protobuf: 'all', mode: 'check' });
    expect(problems).toEqual([]);
    expect({ ok, typeChanges }).toEqual({ ok: true, typeChanges: [] });
  });

  test('loses codecs and their folders if the setting is removed', async () => {
    const { changes } = await run({ protobuf: false });
    expect(changes.remove.length).toBeGreaterThan(60);
    expect(codecFiles()).toEqual([]);
    expect(readdirSync(out)).not.toContain('extensions');
  });

  test('differs in types only by decode and encode', async () => {
    const { ok, typeChanges = [] } = await run({ protobuf: false, mode: 'check' });
    expect(ok).toBe(false);
    expect(typeChanges.map(({ module, change }) => `${module} ${change}`)).toEqual(['protobuf removed']);
  });
});
