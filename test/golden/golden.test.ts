/**
 * Exact output of kgen. `UPDATE=1 npx vitest run test/golden` rewrites the expected files; review the
 * difference.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GenerateOptions, generate } from 'kgen';
import { afterAll, describe, expect, it } from 'vitest';
import { complaints, programOf } from '../support/checker.ts';
import { contentsBelow } from './file-contents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'kgen-golden-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** Returns the generated files, and the problems as `line: sentence`. */
async function written(
  options: GenerateOptions,
): Promise<{ files: Record<string, string>; problems: readonly string[] }> {
  const out = mkdtempSync(join(temporary, 'out-'));
  const { problems } = await generate({ cwd: root, ...options, out });
  return { files: contentsBelow(out), problems: problems.map(({ where, what }) => `${where?.line}: ${what}`) };
}

interface Case {
  readonly name: string;
  readonly options: Omit<GenerateOptions, 'input'>;
  /** Default: `input`. */
  readonly input?: string;
  readonly problems?: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'javascript', options: { emit: 'js', jsonSchema: true, definitions: true } },
  { name: 'type-stripping', options: { importExtension: '.ts' } },
  { name: 'bare', options: { docs: false, listers: false, importExtension: 'none', runtimeImport: './runtime' } },
  { name: 'no-informers', options: { informers: false, definitions: true, groupAlias: { 'plants.example.com': 'garden' } } },
  {
    name: 'refused',
    options: {},
    input: 'refused',
    problems: [
      '41: "Oddity.spec" requires "nowhere", which its properties do not have, so the type leaves it out: add the property or drop the requirement',
      '56: the API server rejects additionalProperties here: additionalProperties and properties are mutual exclusive',
      '59: type is a list, and the API server rejects that: must be a single type',
      '60: type is a list, and the API server rejects that: must be a single type',
      '61: the API server rejects type here: type cannot be set to null, use nullable as an alternative',
      '61: type is the string "null", and the API server rejects that: use one of "array", "boolean", "integer", "number", "object", "string"',
      '73: the API server rejects patternProperties here: patternProperties is not supported',
      '75: "Oddity.spec.reference" has a $ref, which CRDs may not have and kgen does not follow: write the schema out in its place',
      '75: the API server rejects $ref here: $ref is not supported',
      '78: the API server rejects type here: type cannot be set to null, use nullable as an alternative',
      '78: type is the string "null", and the API server rejects that: use one of "array", "boolean", "integer", "number", "object", "string"',
      '128: apiextensions.k8s.io/v1beta1 is read as v1, and API servers since 1.22 reject it: convert the definition to v1',
    ],
  },
];

describe.each(cases)('$name', ({ name, options, input: file = 'input', problems = [] }) => {
  it("equals the committed output", async () => {
    const input = [join(here, `${file}.yaml`)];
    const got = await written({ input, ...options });
    const expected = join(here, 'expected', name);
    if (process.env['UPDATE'] === '1') {
      rmSync(expected, { recursive: true, force: true });
      await generate({ cwd: root, input, ...options, out: expected });
    }
    expect(got.problems).toEqual(problems);
    expect(got.files).toEqual(contentsBelow(expected));
  });
});

it("compiles the output of definitions that servers reject", () => {
  const folder = join(here, 'expected/refused');
  const roots = Object.keys(contentsBelow(folder)).filter((path) => path.endsWith('.ts'));
  expect(roots.length).toBeGreaterThan(5);
  expect(complaints(programOf(folder, roots, { skipLibCheck: false }), folder)).toEqual([]);
}, 60_000);

describe('the samples', () => {
  it("equal the committed output of kgen", async () => {
    const { files, problems } = await written({ input: ['crds/*.yaml'] });
    expect(problems).toEqual([]);
    expect(files).toEqual(contentsBelow(join(root, 'generated/crds')));
  });

  it("have equal output for any order of the input", async () => {
    const files = readdirSync(join(root, 'crds')).map((file) => join('crds', file));
    const want = await written({ input: files });
    expect(await written({ input: [...files].reverse() })).toEqual(want);
    expect(await written({ input: ['crds'] })).toEqual(want);
  });

  it("have equal output if an earlier output exists", async () => {
    const out = mkdtempSync(join(temporary, 'again-'));
    cpSync(join(root, 'generated/crds'), out, { recursive: true });
    const result = await generate({ cwd: root, input: ['crds'], out });
    expect(result.changes).toMatchObject({ create: [], update: [], remove: [] });
  });
});
