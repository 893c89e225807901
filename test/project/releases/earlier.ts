/** A project of a version before the first release: today's templates with every kind of change undone. */
import type { ProjectFacts, ProjectRecord } from '../../../src/kgen/project/record.ts';
import { templatesOf } from '../../../src/kgen/project/templates/templates.ts';

export const facts: ProjectFacts = {
  name: 'my-operator',
  domain: 'example.com',
  kinds: [
    {
      group: 'shop.example.com',
      version: 'v1alpha1',
      kind: 'Cart',
      plural: 'carts',
      scope: 'Namespaced',
      hasController: true,
    },
  ],
  webhooks: [],
  parts: ['agents', 'ci', 'devcontainer'],
};

/** Replacements in today's templates: lines that were changed, added and removed since. */
const replacements: Readonly<Record<string, readonly (readonly [now: string, then: string])[]>> = {
  'package.json': [
    ['"vitest": "4.1.12"', '"vitest": "4.0.0"'],
    ['    "dev": "kgen dev",\n', ''],
  ],
  'tsconfig.json': [['    "skipLibCheck": true,\n', '']],
  'kgen.config.js': [['// Namespace, image, replicas', '// Namespace, replicas']],
  'README.md': [['| `samples`, `test` |', '| `samples`, `tests` |']],
  'AGENTS.md': [['written with kgen', 'made with kgen']],
  '.github/workflows/ci.yaml': [['timeout-minutes: 30', 'timeout-minutes: 10']],
  '.devcontainer/devcontainer.json': [['typescript-node:24', 'typescript-node:22']],
  'src/operator.ts': [['    health: { port: 8081 },\n', '']],
  'src/main.ts': [['until SIGTERM or SIGINT', 'until SIGTERM']],
  'api/cart.ts': [["        { name: 'Age', path: 'metadata.creationTimestamp' },\n", '']],
  'samples/cart.yaml': [['name: cart-sample', 'name: cart']],
  'src/controllers/cart.ts': [
    ['type Manager }', 'type Manager, type RecordedWrite }'],
    ['/** Returns the controller', 'export type CartWrite = RecordedWrite;\n\n/** Returns the controller'],
  ],
  'test/cart.test.ts': [['{ seed: 1 }', '{ seed: 2 }']],
  'test/cart.simulation.test.ts': [['seeds: 100', 'seeds: 50']],
  'test/cart.e2e.test.ts': [['timeout: 120_000', 'timeout: 60_000']],
};

/** Paths that kgen has renamed since. */
const renames: Readonly<Record<string, string>> = { 'src/main.ts': 'src/index.ts' };

/** A template that exists no longer. */
export const obsolete = ['test/setup.ts', '/** Set-up of the tests. */\nexport {};\n'] as const;

/** Returns the record of the project. */
export function earlierRecord(version: string): ProjectRecord {
  const files = [...templatesOf(facts)].map(([path, text]): [string, string] => {
    const before = (replacements[path] ?? []).reduce((result, [now, then]) => {
      if (!result.includes(now)) throw new Error(`${path} does not contain ${JSON.stringify(now)}`);
      return result.replace(now, then);
    }, text);
    const versions = before.replaceAll(/("(?:kgen|@kgen\/\w+)": ")[^"]+/g, `$1${version}`);
    return [renames[path] ?? path, path === 'package.json' ? versions : before];
  });
  return { kgen: version, facts, files: new Map([...files, obsolete]) };
}
