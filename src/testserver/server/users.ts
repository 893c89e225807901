/** Configurations of the users of a server. */
import { type ClusterConfig, withToken } from '@kgen/runtime';
import { authorityCertificate } from '../http/ports.ts';
import { kubeconfigOf } from '../http/tls/kubeconfig.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import {
  accountGroups,
  accountOf,
  administrator,
  authenticatedGroup,
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
  readonly kubeconfig: string;
  as(user: TestUser): ClusterConfig;
}

/**
 * Returns the configurations of a server.
 * @param plain URL for clients in this process; `undefined` if they use HTTPS too
 */
export function usersOf(
  authenticator: Authenticator,
  secure: string,
  plain: string | undefined,
): ServerAccess {
  const secureBase = (): ClusterConfig => ({
    server: secure,
    namespace,
    tls: { ca: authorityCertificate() },
  });
  const base = plain === undefined ? secureBase() : { server: plain, namespace };
  const token = authenticator.addUser(administrator);
  return {
    url: base.server,
    config: withToken(base, token),
    // The authority is created with the first use.
    get kubeconfig() {
      return kubeconfigOf(withToken(secureBase(), token));
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
