/** The manifests of the operators of `examples`: the files that kgen writes from their programs. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ManifestsOptions, manifests } from 'kgen';
import { expect, it } from 'vitest';
import { repository } from '../support/emitted.ts';

/** Folders whose files are those of kgen, besides `api`, from which `crds/` is written. */
const folders = ['crd', 'rbac', 'webhook'];

/** The port is that of the Deployment, whose variables do not change it. */
const webhooks = { port: 9443, injectCa: 'cert-manager' } as const;
const operators: readonly { readonly folder: string; readonly options: ManifestsOptions }[] = [
  { folder: 'foo', options: { input: ['api'] } },
  { folder: 'myapp', options: { input: ['api'] } },
  { folder: 'rediscluster', options: { input: ['api'], webhooks } },
  { folder: 'sidecar', options: { input: [], webhooks } },
];

it.each(operators)('the files of $folder are those of its program', async ({ folder, options }) => {
  const cwd = join(repository, 'examples/operators', folder);
  // The folder does not exist: every file of the plan is a new one.
  const place = { cwd, out: '.manifests', mode: 'dry-run', program: ['operator.ts'] } as const;
  const { problems, changes } = await manifests({ ...options, ...place, name: `${folder}-operator` });
  expect(problems).toEqual([]);
  // Definitions are in `crds/`; that of webhooks has a conversion besides.
  const own = options.webhooks === undefined ? ['rbac'] : folders;
  const files = changes.create
    .filter(({ path }) => own.includes(dirname(path)))
    .map(({ path, after }) => [path, after] as const);
  if (process.env['UPDATE'] === '1')
    for (const [path, text] of files) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
  const written = folders
    .flatMap((name) => filesIn(cwd, name))
    .map((path) => [path, readFileSync(join(cwd, path), 'utf8')]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(files));
});

function filesIn(cwd: string, folder: string): readonly string[] {
  const found = readdirSync(cwd, { withFileTypes: true }).some(({ name }) => name === folder);
  return found ? readdirSync(join(cwd, folder)).map((name) => `${folder}/${name}`) : [];
}
