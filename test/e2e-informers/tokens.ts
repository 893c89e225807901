import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clientset } from '../../generated/kubernetes/index.ts';
import type { Env } from '../support/audited-plane.ts';
import type { Finished } from '../support/cluster-tests.ts';

/** A file with the token of an administrator's service account, as a kubelet maintains it. */
export interface Tokens {
  readonly file: string;
  /** Writes the next token of the account into the file. */
  rotate(): void;
}

const count = 40;

/**
 * Creates the account, its tokens and the file, which is deleted at the end of the test that owns
 * `onTestFinished`.
 */
export async function startTokens(env: Env, finished: Finished): Promise<Tokens> {
  const [namespace = ''] = await env.namespaces(1);
  const tokens = await issue(env, namespace);
  const folder = mkdtempSync(join(tmpdir(), 'kgen-tokens-'));
  finished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'token');
  let next = 0;
  const rotate = (): void => {
    const fresh = join(folder, 'fresh');
    writeFileSync(fresh, tokens[next % tokens.length] ?? '', { mode: 0o600 });
    renameSync(fresh, file);
    next += 1;
  };
  rotate();
  return { file, rotate };
}

async function issue(env: Env, namespace: string): Promise<readonly string[]> {
  const clientset = new Clientset(env.plane.config);
  try {
    const account = { kind: 'ServiceAccount', name: 'follower', namespace };
    await clientset.coreV1.serviceAccounts(namespace).create({ metadata: { name: account.name } });
    await clientset.rbacV1.clusterRoleBindings().create({
      metadata: { name: namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [account],
    });
    const accounts = clientset.coreV1.serviceAccounts(namespace);
    const request = (): Promise<string> =>
      accounts
        .createToken(account.name, { spec: { audiences: [], expirationSeconds: 3_600 } })
        .then(({ status }) => status?.token ?? '');
    return await Promise.all(Array.from({ length: count }, request));
  } finally {
    await clientset.close();
  }
}
