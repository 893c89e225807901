// Keeps one vitest process, with instrumented sources, for the runs that `run.mjs` requests by messages.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import { instrument } from './instrument.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mutants = new Map();
for (const one of JSON.parse(readFileSync(process.env.KGEN_MUTATE_MUTANTS, 'utf8'))) {
  mutants.set(one.file, [...(mutants.get(one.file) ?? []), one]);
}

const switches = {
  name: 'kgen-mutants',
  enforce: 'pre',
  transform(code, id) {
    const own = mutants.get(id.replace(/\?.*$/, '').slice(root.length));
    return own === undefined ? undefined : { code: instrument(code, own), map: null };
  },
};

const vitest = await createVitest(
  'test',
  {
    root,
    watch: false,
    maxWorkers: 1,
    pool: 'forks',
    runner: fileURLToPath(new URL('runner.mjs', import.meta.url)),
    reporters: [{}],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
  },
  { plugins: [switches] },
);
await vitest.standalone();

process.on('message', async ({ files }) => {
  try {
    const project = vitest.getRootProject();
    // Several files share one process and its modules.
    project.config.isolate = files.length === 1;
    const specifications = files.map((file) => project.createSpecification(`${root}${file}`));
    const run = await vitest.runTestSpecifications(specifications);
    // The result contains files of earlier runs as well.
    const testModules = run.testModules.filter(({ moduleId }) => files.includes(moduleId.slice(root.length)));
    const failed = testModules.flatMap((module) => [...module.children.allTests('failed')]);
    const errors = [
      ...testModules.flatMap((module) => module.errors()),
      ...failed.flatMap((one) => one.result().errors),
    ];
    const isOk = testModules.length === files.length && testModules.every((module) => module.ok());
    process.send({ isOk, problem: errors[0]?.message });
  } catch (error) {
    process.send({ isOk: false, problem: String(error) });
  }
});
// Started in its own process group, with the processes of the test files: the end of `run.mjs` terminates all
// of them.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.send({ isReady: true });
