/**
 * Exact output of kgen for a whole API. `UPDATE=1 npx vitest run test/golden` rewrites the expected files;
 * review the difference.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultEmitOptions, type EmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { buildModel } from '../../src/kgen/model/build.ts';
import { loadOpenApi } from '../../src/kgen/openapi/load.ts';
import { version } from '../../src/kgen/common/version.ts';
import { complaints, programOf } from '../support/checker.ts';
import { contentsBelow } from './file-contents.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

async function written(options: Partial<EmitOptions>): Promise<Readonly<Record<string, string>>> {
  const { value, problems } = await loadOpenApi({ paths: ['openapi.yaml'], cwd: here });
  const built = buildModel(value);
  expect([...problems, ...built.problems]).toEqual([]);
  return Object.fromEntries(emit(built.model, { ...defaultEmitOptions, version, ...options }));
}

function update(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const cases: readonly { readonly name: string; readonly options: Partial<EmitOptions> }[] = [
  { name: 'openapi', options: {} },
  { name: 'openapi-facts', options: { docs: 'facts', emit: 'js' } },
];

describe.each(cases)('$name', ({ name, options }) => {
  const expected = join(here, 'expected', name);

  it("equals the committed output", async () => {
    const files = await written(options);
    if (process.env['UPDATE'] === '1') update(expected, files);
    expect(files).toEqual(contentsBelow(expected));
  });

  it('compiles', () => {
    const roots = Object.keys(contentsBelow(expected)).filter((path) => path.endsWith('.ts'));
    expect(roots.length).toBeGreaterThan(10);
    expect(complaints(programOf(expected, roots, { skipLibCheck: false }), expected)).toEqual([]);
  }, 60_000);
});

it("contains no descriptions of a whole API with facts only", async () => {
  const all = Object.values(await written({ docs: 'facts' })).join('\n');
  for (const sentence of ['Somebody who bakes', 'say the place', 'What to run', 'so many lines']) {
    expect(all).not.toContain(sentence);
  }
});
