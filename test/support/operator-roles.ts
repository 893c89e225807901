/** Permissions of the operators of `examples`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { rbacV1 } from '@kgen/kubernetes';
import { dump, loadAll } from 'js-yaml';
import { repository } from './emitted.ts';

/** Returns the manifests of an operator's service account and roles. */
export function operatorRoles(name: string): string {
  const folder = join(repository, 'examples/operators', name, 'config/rbac');
  const files = readdirSync(folder).sort();
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('---\n');
}

/**
 * Rules of the servers of metrics and of webhooks: for their callers, the kept certificate, its bundles and
 * the reads of reviews.
 */
export const rulesOfServers: Readonly<Record<string, readonly string[]>> = {
  foo: ofMetrics(),
  myapp: ofMetrics(),
  rediscluster: [
    ...ofMetrics(),
    ...rules('get list patch watch', 'validatingwebhookconfigurations admissionregistration.k8s.io'),
    ...rules('get list patch watch', 'customresourcedefinitions apiextensions.k8s.io'),
    ...rules('create get list update watch', 'secrets '),
    'get redisclusters cache.example.com',
  ],
};

function ofMetrics(): readonly string[] {
  return ['create tokenreviews authentication.k8s.io', 'create subjectaccessreviews authorization.k8s.io'];
}

function rules(verbs: string, resource: string): readonly string[] {
  return verbs.split(' ').map((verb) => `${verb} ${resource}`);
}

interface Role {
  readonly kind: string;
  readonly rules?: readonly rbacV1.PolicyRule[];
}

/** Returns the manifests of `operatorRoles` without the rules of the servers, which must all exist. */
export function rolesOfController(name: string): string {
  const left = new Set(rulesOfServers[name]);
  const unused = new Set(left);
  const withoutServers = (rule: rbacV1.PolicyRule): readonly rbacV1.PolicyRule[] => {
    const { apiGroups = [], resources = [], verbs } = rule;
    const isOfServer = (verb: string): boolean => {
      const key = `${verb} ${resources.join(',')} ${apiGroups.join(',')}`;
      unused.delete(key);
      return left.has(key);
    };
    const kept = verbs.filter((verb) => !isOfServer(verb));
    return kept.length === 0 ? [] : [{ ...rule, verbs: kept }];
  };
  // seam: manifests of the repository.
  const objects = loadAll(operatorRoles(name)) as readonly Role[];
  const changed = objects.map((each) => ({
    ...each,
    ...(each.rules && { rules: each.rules.flatMap(withoutServers) }),
  }));
  if (unused.size > 0) throw new Error(`${name} has no rules ${[...unused].join(', ')}`);
  return changed.map((each) => dump(each)).join('---\n');
}
