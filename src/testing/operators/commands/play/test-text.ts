/** A test of a project that repeats actions of `kgen dev`. */
import { literalOf } from './literals.ts';

/** An action that was performed. */
export interface Step {
  /** Statements, without indentation. */
  readonly code: string;
}

/** An object of the operator, with fields that it has set. */
export interface ExpectedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly fields: object;
}

/** Parts of a test. */
export interface TestTextOptions {
  /** Folders of definitions that the project has. */
  readonly crds: readonly string[];
  /** Whether the project has the folder `config/rbac`. */
  readonly hasAccount: boolean;
  /** Whether the project has samples, which `kgen dev` applies. */
  readonly hasSamples: boolean;
  readonly steps: readonly Step[];
  readonly expected: readonly ExpectedObject[];
}

/** Returns the test as a file for the folder `test` of the project. */
export function testText({ crds, hasAccount, hasSamples, steps, expected }: TestTextOptions): string {
  const options = {
    ...(crds.length > 0 && { crds }),
    ...(hasAccount && { as: 'config/rbac' }),
    time: 'movable',
  };
  const apply = "await applyManifests(server.admin, { files: 'samples' }, { fieldManager: 'test' });";
  const code = [...(hasSamples ? [{ code: apply }] : []), ...steps];
  const body = code.map(({ code }) => `${indented(code)}\n  await settled(server);\n`).join('');
  return `import { ObjectsClient } from '@kgen/runtime/dynamic';
${hasSamples ? "import { applyManifests } from '@kgen/runtime/manifests';\n" : ''}import { startTestServer, type TestServer } from '@kgen/testserver';
import { expect, onTestFinished, test } from 'vitest';
import { operator } from '../src/operator.js';

test('follows the actions', { timeout: 120_000 }, async () => {
  const server = await startTestServer(${literalOf(options, 1)});
  const cluster = new ObjectsClient(server.admin, { fieldManager: 'test' });
  let stop = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const start = () => {
    stop = new AbortController();
    const manager = operator(server.config, { leaderElection: undefined, metrics: undefined, health: undefined });
    running = manager.run({ signal: stop.signal });
  };
  const end = async () => {
    stop.abort();
    await running;
  };
  onTestFinished(async () => {
    await end();
    await cluster.close();
    await server.stop();
  });

  start();
  await settled(server);
${body}
${expected.map(expectation).join('')}});

/** Resolves once nothing has changed for a second. */
async function settled(server: TestServer): Promise<void> {
  for (let before = '', round = 0; round < 30; round += 1) {
    const { resourceVersion } = server.snapshot();
    if (resourceVersion === before) return;
    before = resourceVersion;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
`;
}

function expectation({ apiVersion, kind, namespace, name, fields }: ExpectedObject): string {
  const metadata = { name, ...(namespace !== '' && { namespace }) };
  const object = literalOf({ apiVersion, kind, metadata }, 1);
  const read = `expect(\n  await cluster.get(${object}),\n)`;
  return indented(`${read}.toMatchObject(${literalOf(fields)});\n`);
}

/** Strings contain no line breaks: their escapes do. */
function indented(code: string): string {
  return code.replace(/^(?=.)/gm, '  ');
}
