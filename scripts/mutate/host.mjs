// Keeps one vitest, with the sources instrumented, for the runs that `run.mjs` asks for by messages.
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
    testTimeout: 15_000,
    hookTimeout: 15_000,
    expect: { poll: { timeout: 4000 } },
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
    const { testModules } = await vitest.runTestSpecifications(specifications);
    const failed = testModules.flatMap((module) => [...module.children.allTests('failed')]);
    const errors = [
      ...testModules.flatMap((module) => module.errors()),
      ...failed.flatMap((one) => one.result().errors),
    ];
    const isOk = testModules.length > 0 && testModules.every((module) => module.ok());
    process.send({ isOk, problem: errors[0]?.message });
  } catch (error) {
    process.send({ isOk: false, problem: String(error) });
  }
});
process.send({ isReady: true });
