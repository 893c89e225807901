/** Configurations of the users of a server. */
import { type ClusterConfig, withToken } from '@kgen/runtime';
import { serverAuthority } from '../http/ports.ts';
import { kubeconfigOf } from '../http/tls/kubeconfig.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import {
  accountGroups,
  accountOf,
  accountUser,
  administrator,
  authenticatedGroup,
  type ServiceAccountName,
  type User,
  withGroup,
} from '../identity/user.ts';

/** A user: its name, or its name with groups, uid and extra members. */
export type TestUser =
  | string
  | {
      readonly user: string;
      readonly groups?: readonly string[];
      readonly uid?: string;
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };

/** Access to a server. */
interface ServerAccess {
  readonly url: string;
  readonly config: ClusterConfig;
  readonly admin: ClusterConfig;
  readonly kubeconfig: string;
  as(user: TestUser): ClusterConfig;
}

/**
 * Returns the configurations of a server.
 * @param plain URL for clients in this process; `undefined` if they use HTTPS too
 * @param account user of `config` and `kubeconfig`. Default: the administrator
 */
export function usersOf(
  authenticator: Authenticator,
  secure: string,
  plain: string | undefined,
  account: ServiceAccountName | undefined,
): ServerAccess {
  const secureBase = (): ClusterConfig => ({
    server: secure,
    namespace,
    tls: { ca: serverAuthority().cert },
  });
  const base = plain === undefined ? secureBase() : { server: plain, namespace };
  const token = authenticator.addUser(account === undefined ? administrator : accountUser(account));
  // A program in a pod begins in the namespace of its account.
  const owned = (config: ClusterConfig): ClusterConfig =>
    withToken({ ...config, namespace: account?.namespace ?? namespace }, token);
  const config = owned(base);
  return {
    url: base.server,
    config,
    admin: account === undefined ? config : withToken(base, authenticator.addUser(administrator)),
    // The authority is created with the first use.
    get kubeconfig() {
      return kubeconfigOf(owned(secureBase()));
    },
    as: (user) => withToken(base, authenticator.addUser(userOf(user))),
  };
}

const namespace = 'default';

function userOf(user: TestUser): User {
  const { user: name, groups, ...rest } = typeof user === 'string' ? { user } : user;
  if (name === '') throw new TypeError('as() needs the name of a user');
  const account = accountOf(name);
  const implied = account === undefined ? [] : accountGroups(account.namespace);
  return withGroup({ name, groups: groups ?? implied, ...rest }, authenticatedGroup);
}
