/** The permissions of the operators of `examples`: the files that kgen writes, and their use in memory. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { permissionsOf } from '../../src/kgen/manifests/permissions/permissions.ts';
import { type RoleKind, rbacFiles } from '../../src/kgen/manifests/permissions/roles/rbac-files.ts';
import { repository } from '../support/emitted.ts';

const operators: readonly (RoleKind & { readonly folder: string })[] = [
  { folder: 'foo', group: 'samplecontroller.c9g.io', singular: 'foo', plural: 'foos' },
  { folder: 'myapp', group: 'my.domain', singular: 'myapp', plural: 'myapps' },
  {
    folder: 'rediscluster',
    group: 'cache.example.com',
    singular: 'rediscluster',
    plural: 'redisclusters',
    hasScale: true,
  },
];

it.each(operators)('the files of $folder are those that its program needs', ({ folder, ...kind }) => {
  const cwd = join(repository, 'examples/operators', folder);
  const { value: needs, problems } = permissionsOf({ cwd, paths: ['operator.ts'] });
  expect(problems).toEqual([]);
  const files = rbacFiles(needs, { name: `${folder}-operator`, kinds: [kind] });
  if (process.env['UPDATE'] === '1') {
    mkdirSync(join(cwd, 'rbac'), { recursive: true });
    for (const [path, text] of files) writeFileSync(join(cwd, path), text);
  }
  const names = readdirSync(join(cwd, 'rbac')).map((name) => `rbac/${name}`);
  const written = names.sort().map((path) => [path, readFileSync(join(cwd, path), 'utf8')]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(files));
});
