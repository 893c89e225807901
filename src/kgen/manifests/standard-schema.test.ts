import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { object } from '@kgen/schema/values/json';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { projectWith } from './declared.fixture.ts';
import { type ManifestsResult, manifests } from './manifests.ts';
import { runsTypeScript, schemaModules } from './standard-schema.fixture.ts';

const packageText = { 'package.json': '{"type":"module"}' };

function run(cwd: string): Promise<ManifestsResult> {
  return manifests({ cwd, cacheFolder: join(cwd, 'cache') });
}

async function messagesOf(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { problems } = await run(projectWith({ ...packageText, 'api/thing.ts': text, ...others }));
  return problems.map(formatProblem);
}

/** Returns a module with this schema of Zod; `version(` is on line 4. */
function moduleWith(schema: string, facts = ''): string {
  return `import * as z from 'zod'; import { api, version } from 'kgen/api';
const schema = ${schema};
export default api({ group: 'example.com', kind: 'Thing', versions: {
  v1: version(schema)({ ${facts} }),
} });
`;
}

describe.skipIf(!runsTypeScript)('a version with a schema', () => {
  test('has the schema that Zod and ArkType describe', async () => {
    const cwd = projectWith({ ...packageText, ...schemaModules });
    const { problems, apis } = await run(cwd);
    expect(problems.map(formatProblem)).toEqual([]);
    const schemas = apis.map(({ value }) => {
      const [version] = [object(value, 'spec')['versions']].flat();
      return object(
        object(version as never),
        'schema',
        'openAPIV3Schema',
        'properties',
        'spec',
        'properties',
      );
    });
    const [ark, zod] = schemas;
    expect(zod).toMatchObject({
      title: { description: 'Name of the shop.', type: 'string', minLength: 1, maxLength: 63 },
      replicas: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      note: { type: 'string', nullable: true, maxLength: 99 },
      ports: { 'x-kubernetes-list-type': 'map', maxItems: 16 },
    });
    expect(Object.keys(ark ?? {})).toEqual(Object.keys(zod ?? {}));
    expect(ark?.['backup']).toMatchObject({
      required: ['kind'],
      'x-kubernetes-validations': expect.any(Array),
    });
  });

  test('is run again each time, because its values may depend on anything', async () => {
    const module = moduleWith('z.object({ spec: z.object({ size: z.enum(sizes) }) })').replace(
      'const schema',
      "import { sizes } from './sizes.ts'; const schema",
    );
    const sizes = (name: string): string => `export const sizes = ['${name}'] as const;\n`;
    const cwd = projectWith({ ...packageText, 'api/thing.ts': module, 'api/sizes.ts': sizes('small') });
    const text = (): string => readFileSync(join(cwd, 'config/crd/example.com_things.yaml'), 'utf8');
    expect((await run(cwd)).problems.map(formatProblem)).toEqual([]);
    expect(text()).toContain('- small');
    writeFileSync(join(cwd, 'api/sizes.ts'), sizes('large'));
    await run(cwd);
    expect(text()).toContain('- large');
  });

  test.each([
    [
      'a tuple',
      'z.object({ spec: z.object({ a: z.tuple([z.string()]) }) })',
      'api/thing.ts:4:7: error: spec.a is a tuple',
    ],
    [
      'a value without JSON schema',
      'z.object({ spec: z.object({ a: z.date() }) })',
      'api/thing.ts:4:7: error: the schema has no JSON schema: Date',
    ],
    [
      'a rule that does not compile',
      "z.object({ spec: z.object({ a: z.string() }).meta({ 'x-kubernetes-validations': [{ rule: 'self.b' }] }) })",
      'api/thing.ts:4:7: error: ',
    ],
    [
      'a pattern that is not RE2',
      'z.object({ spec: z.object({ a: z.string().regex(/(?=a)/) }) })',
      'api/thing.ts:4:7: error: ',
    ],
    ['an array', 'z.array(z.string())', 'api/thing.ts:4:7: error: the type of a version must be'],
  ])('with %s is refused at the place of its call', async (_, schema, text) => {
    const messages = await messagesOf(moduleWith(schema));
    expect(messages.join('\n')).toContain(text);
  });

  test('is refused if its module cannot be run, with the line', async () => {
    expect(
      await messagesOf(`${moduleWith('z.object({ spec: z.object({}) })')}\nthrow new Error('no shop');\n`),
    ).toEqual(['api/thing.ts:7: error: the file cannot be run: no shop']);
  });
});

test('paths are those of the type of the schema', async () => {
  const schema = 'z.object({ spec: z.object({ name: z.string() }) })';
  const messages = await messagesOf(moduleWith(schema, "columns: [{ name: 'A', path: 'spec.nam' }]"));
  expect(messages).toEqual([expect.stringMatching(/^api\/thing\.ts:4:\d+: error: .*spec\.nam/)]);
});

// On other versions of Node nothing is skipped.
if (!runsTypeScript) {
  test('a schema needs a version of Node that runs TypeScript', async () => {
    expect(await messagesOf(moduleWith('z.object({ spec: z.object({}) })'))).toEqual([
      expect.stringMatching(
        /does not run TypeScript: use Node 22\.18 or later, or declare the version with a type$/,
      ),
    ]);
  });
}
