/** What kgen writes, word for word. `UPDATE=1 npx vitest run test/golden` rewrites the expected files; review the difference. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GenerateOptions, generate } from 'kgen';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'kgen-golden-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** Text of every file below a folder, by path. */
function texts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

async function written(options: GenerateOptions): Promise<Record<string, string>> {
  const out = mkdtempSync(join(temporary, 'out-'));
  const result = await generate({ cwd: root, ...options, out });
  expect(result.problems).toEqual([]);
  return texts(out);
}

const cases: readonly { readonly name: string; readonly options: Omit<GenerateOptions, 'input'> }[] = [
  { name: 'javascript', options: { emit: 'js' } },
  { name: 'type-stripping', options: { importExtension: '.ts' } },
  { name: 'bare', options: { docs: false, listers: false, importExtension: 'none', runtimeImport: './runtime' } },
  { name: 'no-informers', options: { informers: false, groupAlias: { 'plants.example.com': 'garden' } } },
];

describe.each(cases)('$name', ({ name, options }) => {
  it('is as committed', async () => {
    const input = [join(here, 'input.yaml')];
    const got = await written({ input, ...options });
    const expected = join(here, 'expected', name);
    if (process.env['UPDATE'] === '1') {
      rmSync(expected, { recursive: true, force: true });
      await generate({ cwd: root, input, ...options, out: expected });
    }
    expect(got).toEqual(texts(expected));
  });
});

describe('the samples', () => {
  it('are committed as kgen writes them', async () => {
    expect(await written({ input: ['crds/*.yaml'] })).toEqual(texts(join(root, 'generated/crds')));
  });

  it('come out the same in any order of the input', async () => {
    const files = readdirSync(join(root, 'crds')).map((file) => join('crds', file));
    const want = await written({ input: files });
    expect(await written({ input: [...files].reverse() })).toEqual(want);
    expect(await written({ input: ['crds'] })).toEqual(want);
  });

  it('come out the same when an earlier output is there', async () => {
    const out = mkdtempSync(join(temporary, 'again-'));
    cpSync(join(root, 'generated/crds'), out, { recursive: true });
    const result = await generate({ cwd: root, input: ['crds'], out });
    expect(result.changes).toMatchObject({ create: [], update: [], remove: [] });
  });
});
