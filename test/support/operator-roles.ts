/** Permissions of the operators of `examples`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './emitted.ts';

/** Returns the manifests of an operator's service account and roles. */
export function operatorRoles(name: string): string {
  const folder = join(repository, 'examples/operators', name, 'config/rbac');
  const files = readdirSync(folder).sort();
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('---\n');
}
