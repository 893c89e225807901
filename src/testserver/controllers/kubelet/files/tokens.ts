/**
 * Tokens of service accounts in volumes.
 * @see https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
 */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { issuer } from '../../../identity/tokens.ts';
import { nameOf, namespaceOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../../cluster.ts';
import { number } from '../../workloads/values.ts';
import type { ContainerFile } from '../programs.ts';

interface IssuedToken {
  readonly token: string;
  /** Time of its rotation. */
  readonly until: number;
}

const issued = new WeakMap<Cluster['state'], Map<string, IssuedToken>>();

/** Returns the file of a token, which is issued when its content is read. */
export function tokenFile(
  cluster: Cluster,
  pod: JsonObject,
  source: JsonObject,
  mode: number,
): ContainerFile {
  return {
    get content() {
      return tokenOf(cluster, pod, source);
    },
    mode: hasOwner(pod) ? 0o600 : mode,
  };
}

function tokenOf({ state }: Cluster, pod: JsonObject, source: JsonObject): string {
  const uid = text(pod, 'metadata', 'uid');
  const seconds = number(source, 3_600, 'expirationSeconds');
  const audience = text(source, 'audience') || issuer;
  const tokens = issued.get(state) ?? new Map<string, IssuedToken>();
  issued.set(state, tokens);
  const key = JSON.stringify([uid, audience, seconds]);
  const now = state.environment.now();
  const known = tokens.get(key);
  if (known !== undefined && now < known.until) return known.token;
  const account = state.store.get('serviceaccounts', `${namespaceOf(pod)}/${accountOf(pod)}`);
  if (account === undefined) return '';
  const node = text(pod, 'spec', 'nodeName');
  const token = state.authenticator.tokens.issue({
    ...{ account, audiences: [audience], seconds },
    bound: { kind: 'Pod', name: nameOf(pod), uid },
    node: { name: node, uid: text(state.store.get('nodes', node), 'metadata', 'uid') },
  });
  tokens.set(key, { token, until: now + seconds * 800 });
  return token;
}

function accountOf(pod: JsonObject): string {
  return text(pod, 'spec', 'serviceAccountName') || 'default';
}

/** Whether the files of tokens belong to one user or group, who alone may read them. */
function hasOwner(pod: JsonObject): boolean {
  const shared = object(pod, 'spec', 'securityContext');
  const users = ['initContainers', 'containers']
    .flatMap((list) => array(pod, 'spec', list))
    .map((each: Json) => own(object(each, 'securityContext'), 'runAsUser') ?? own(shared, 'runAsUser'));
  const [first] = users;
  return (
    own(shared, 'fsGroup') !== undefined || (first !== undefined && users.every((each) => each === first))
  );
}
