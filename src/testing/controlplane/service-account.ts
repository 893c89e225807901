/** Service accounts of a control plane, from their manifests. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { type AccountSource, loadAccount } from '@kgen/testserver/internal/server/account';

/** Validity of the token, in seconds: longer than tests run. */
const expirationSeconds = 86_400;

/**
 * Applies the manifests of a service account, and returns its configuration, with a token that is valid for
 * one day.
 * @param changed returns an object as it is applied
 * @throws {Error} if the manifests cannot be read or applied, or do not determine the account
 */
export async function addServiceAccount(
  admin: ClusterConfig,
  source: AccountSource,
  changed = (value: JsonObject): JsonObject => value,
): Promise<ClusterConfig> {
  const { account, objects, namespaces } = await loadAccount(source);
  const { namespace, name } = account;
  const items = [...namespaces.map(namespaceOf), ...objects.map(({ value }) => changed(value))];
  const distinct = new Map(items.map((item) => [identityOf(item), item]));
  const rest = new RESTClient(admin);
  try {
    const list = writeJson({ apiVersion: 'v1', kind: 'List', items: [...distinct.values()] });
    await applyManifests(rest, list, { fieldManager: 'kgen-testing', namespace: 'default' });
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds },
    };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const token = text(jsonOf(await rest.post(path, { body: request })), 'status', 'token');
    const { ca } = admin.tls ?? {};
    return { server: admin.server, namespace, auth: { token }, ...(ca === undefined ? {} : { tls: { ca } }) };
  } finally {
    await rest.close();
  }
}

function namespaceOf(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Manifests may contain the namespace themselves, with its labels. */
function identityOf(value: JsonObject): string {
  const [kind, namespace, name] = [
    text(value, 'kind'),
    text(value, 'metadata', 'namespace'),
    text(value, 'metadata', 'name'),
  ];
  return `${text(value, 'apiVersion')} ${kind} ${namespace} ${name}`;
}

function jsonOf(response: unknown): Json {
  return readJson(writeJson(response));
}
