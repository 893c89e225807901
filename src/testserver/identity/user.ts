/**
 * The user of a request, as authentication determines it.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/
 */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Group whose members may do everything. */
export const mastersGroup = 'system:masters';
/** Group of every user that authenticated. */
export const authenticatedGroup = 'system:authenticated';
/** Group of requests without credentials. */
export const unauthenticatedGroup = 'system:unauthenticated';

/** The user of the server's own configuration. */
export const administrator: User = {
  name: 'kubernetes-admin',
  groups: [mastersGroup, authenticatedGroup],
};

/** The user of requests without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticatedGroup] };

/** Certificate of a client. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 in hexadecimal digits. */
  readonly fingerprint: string;
  /** Whether the authority of the server signed it, for clients, and it has not expired. */
  readonly isValid: boolean;
}

/** Returns the user as which the owner of a valid certificate authenticates; `undefined` without a name. */
export function certificateUser(certificate: ClientCertificate): User | undefined {
  const { commonName, organizations, fingerprint } = certificate;
  if (commonName === '') return undefined;
  const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] };
  return withGroup({ name: commonName, groups: organizations, extra }, authenticatedGroup);
}

/** Returns the user with an additional group, unless it is a member already. */
export function withGroup(user: User, group: string): User {
  return user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] };
}

/** Namespace and name of a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const accountPrefix = 'system:serviceaccount:';

/** Returns the user name of a service account. */
export function accountUserName({ namespace, name }: ServiceAccountName): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** Returns the groups of a service account, without `system:authenticated`. */
export function accountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Returns the user as which a service account authenticates. */
export function accountUser(account: ServiceAccountName): User {
  const groups = [...accountGroups(account.namespace), authenticatedGroup];
  return { name: accountUserName(account), groups };
}

/** Returns the service account of a user name, or `undefined` for the name of another user. */
export function accountOf(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(accountPrefix.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}
