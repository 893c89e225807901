/** The operators of `examples`: projects that commands of kgen have made. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

const run = promisify(execFile);
const kgenProgram = join(repository, 'src/kgen/bin/kgen.js');

/** An operator, and the commands that made its project. */
interface ExampleProject {
  readonly folder: string;
  readonly commands: readonly string[];
  /** Files of the author that have no template. */
  readonly own?: readonly string[];
}

const projects: readonly ExampleProject[] = [
  {
    folder: 'foo',
    commands: [
      'init foo-operator --domain c9g.io',
      'create api --group samplecontroller --version v1alpha1 --kind Foo',
    ],
  },
  {
    folder: 'myapp',
    commands: [
      'init myapp-operator --domain my.domain',
      'create api --group my.domain --version v1 --kind MyApp',
    ],
  },
  {
    folder: 'rediscluster',
    commands: [
      'init rediscluster-operator --domain example.com',
      'create api --group cache --version v1 --kind RedisCluster',
      'create api --group cache --version v1alpha1 --kind RedisCluster',
      'create webhook --group cache --version v1 --kind RedisCluster --validates',
    ],
  },
  {
    folder: 'sidecar',
    commands: [
      'init sidecar-operator --domain example.com',
      'create webhook --group core --version v1 --kind Pod',
    ],
    own: ['samples/pod.yaml'],
  },
];

const folderOf = (name: string): string => join(repository, 'examples/operators', name);
const recordOf = (folder: string): string => readFileSync(join(folder, '.kgen/project.json'), 'utf8');

test.each(projects)(
  '$folder has the files that its commands write, from the present templates',
  {
    timeout: 120_000,
  },
  async ({ folder, commands, own = [] }) => {
    const cwd = mkdtempSync(join(tmpdir(), 'kgen-example-'));
    const example = folderOf(folder);
    for (const command of commands)
      await run(process.execPath, [kgenProgram, ...command.split(' ')], { cwd });
    expect(recordOf(example)).toBe(recordOf(cwd));
    const made = new Set([...filesBelow(cwd), ...own]);
    // Those that kgen writes follow from the author's.
    for (const name of ['api', 'src', 'kgen.config.js'])
      if (filesBelow(example).some((path) => path.startsWith(name)))
        cpSync(join(example, name), join(cwd, name), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
    await run(process.execPath, [kgenProgram], { cwd });
    for (const path of filesBelow(cwd)) made.add(path);
    expect(filesBelow(example)).toEqual([...made].sort());
    rmSync(cwd, { recursive: true });
  },
);

test.each(projects)('$folder passes its table tests', { timeout: 120_000 }, async ({ folder }) => {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  // Longer ones are in test/simulate and test/e2e-operators.
  const files = filesBelow(join(folderOf(folder), 'test')).filter(
    (path) => !/\.(simulation|e2e)\./.test(path),
  );
  const tests = files.map((path) => `test/${path}`);
  // The report of this run is not that of the project.
  const { KGEN_TEST_REPORT: _, KGEN_TEST_TIMES: __, ...env } = process.env;
  await run(process.execPath, [vitest, 'run', ...tests], { cwd: folderOf(folder), env });
});

test.each(projects)('the image of $folder is built from its program', async ({ folder }) => {
  const build = [kgenProgram, 'build', '--dry-run', '--out', 'absent'];
  const { stdout } = await run(process.execPath, build, { cwd: folderOf(folder) });
  expect(stdout).toContain('created  absent/Dockerfile\n');
  expect(stdout).toContain('created  absent/app/operator.mjs\n');
});
