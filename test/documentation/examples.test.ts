/**
 * Every program of examples/ compiles, and runs against the API server in memory. Its operators are projects:
 * `test/project/examples.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Complaint } from '../support/checker.ts';
import { root } from './pages.ts';
import { createProject, runNode, withServer } from './project.ts';

/** A line that each program prints. */
const printed: Readonly<Record<string, RegExp>> = {
  'any-object.ts': /^replicas: 5$/m,
  'apply-manifests.ts': /^MyApp web: created \(.*app\.yaml:\d+:1\)$/m,
  'create-patch-delete.ts': /^updated RedisCluster carts: .*"replicas":5/m,
  'discovery.ts': /^myapps {2}my\.domain\/v1 {2}MyApp {2}namespaced/m,
  'dynamic-resource.ts': /^NAME +WANTED +READY +AGE\ncarts +5 /m,
  'informer.ts': /^version 7\.4: carts, search$/m,
  'list-pods.ts': /^Pods with app=web in namespace default: 4$/m,
  'rollout.ts': /^Deployment web is rolled out$/m,
  'scale.ts': /^RedisCluster carts: 2 replicas$/m,
  'server-side-apply.ts': /^\.spec\.replicas: conflict with "deployer"$/m,
  'wait-for-ready.ts': /^MyApp web is ready/m,
  'watch.ts': /^the watch has ended$/m,
};

const names = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
const sources = names.map((name) => ({ name, text: readFileSync(join(root, 'examples', name), 'utf8') }));
/** Run by `npm run demo`, which starts a server of its own. */
const demoSources = readdirSync(join(root, 'examples/demo')).map((name) => {
  const path = `examples/demo/${name}`;
  return { path, text: readFileSync(join(root, path), 'utf8') };
});
const project = createProject();
let found: readonly Complaint[] = [];

beforeAll(() => {
  found = project.compile(
    Object.fromEntries([
      ...sources.map(({ name, text }) => [`examples/${name}`, text]),
      ...demoSources.map(({ path, text }) => [path, text]),
    ]),
  );
});
afterAll(() => project.remove());

describe('examples', () => {
  it('are all in the table of expected output, and in examples/README.md', () => {
    const readme = readFileSync(join(root, 'examples/README.md'), 'utf8');
    expect(names.sort()).toEqual(Object.keys(printed));
    expect(names.filter((name) => !readme.includes(`(${name})`))).toEqual([]);
  });

  it('compile', () => {
    expect(found).toEqual([]);
  });

  it.each(sources)('$name has 15 to 60 lines of one task', ({ text }) => {
    const lines = text.split('\n').length - 1;
    expect(lines).toBeGreaterThanOrEqual(15);
    expect(lines).toBeLessThanOrEqual(60);
  });

  it.each(Object.entries(printed))('%s runs and ends by itself', async (name, line) => {
    const file = `examples/${name.replace(/ts$/, 'js')}`;
    const { folder } = project;
    const { status, output } = await withServer(folder, (kubeconfig) => runNode(folder, [file], kubeconfig));
    expect(status, output).toBe(0);
    expect(output).toMatch(line);
  });
});
