/** A Deployment, and a Service and a Secret that are optional, by server-side apply. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { secrets, services } from '@kgen/kubernetes/core/v1';
import { resource, type Stored } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import {
  ignoreNotFound,
  labelsOf,
  optionsWith,
  owner,
  type Site,
  siteOperator,
  withStatus,
} from '../sites.ts';

export const because = 'it reads each optional part from the server before it deletes it, and only its own';

export const options = optionsWith([
  { hosts: ['a.example.com'], settings: { level: 'info', color: 'blue' } },
  { replicas: 2, settings: { level: 'debug' } },
]);

export const operator = siteOperator(({ rest, informers, own }) => ({
  owns: [informers.of(deployments), informers.of(services), informers.of(secrets)],
  reconcile: async (site) => {
    const { name, namespace, generation } = site.metadata;
    const { hosts = [], settings } = site.spec;
    await resource(rest, deployments).in(namespace).apply(deploymentOf(site), owner);
    const service = resource(rest, services).in(namespace);
    if (hosts.length > 0) await service.apply(serviceOf(site, hosts), owner);
    else if (await isOwn(site, service.find(name))) await service.delete(name).catch(ignoreNotFound);
    const secret = resource(rest, secrets).in(namespace);
    if (settings !== undefined) await secret.apply(secretOf(site, settings), owner);
    else if (await isOwn(site, secret.find(name))) await secret.delete(name).catch(ignoreNotFound);
    await own.in(namespace).updateStatus(withStatus(site, { observedGeneration: generation }));
  },
}));

async function isOwn(site: Stored<Site>, found: Promise<Parameters<typeof isControlledBy>[0] | undefined>) {
  const object = await found;
  return object !== undefined && isControlledBy(object, site);
}

function deploymentOf(site: Stored<Site>) {
  const { name, namespace } = site.metadata;
  const { image, replicas = 1, settings = {} } = site.spec;
  const labels = labelsOf(site);
  const container = {
    name: 'web',
    image,
    env: [{ name: 'KEYS', value: Object.keys(settings).sort().join() }],
  };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  return setControllerReference({ metadata: { name, namespace, labels }, spec }, site);
}

function serviceOf(site: Stored<Site>, hosts: readonly string[]) {
  const { name, namespace } = site.metadata;
  const metadata = { name, namespace, annotations: { hosts: hosts.join() } };
  const spec = { clusterIP: 'None', selector: labelsOf(site), ports: [{ port: 80 }] };
  return setControllerReference({ metadata, spec }, site);
}

function secretOf(site: Stored<Site>, settings: Readonly<Record<string, string>>) {
  const { name, namespace } = site.metadata;
  const encoded = Object.entries(settings).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  return setControllerReference({ metadata: { name, namespace }, data: Object.fromEntries(encoded) }, site);
}
