/** Clients and servers of several versions of Kubernetes, each client compared with each server. */
import { Clientset } from '@kgen/kubernetes';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { startTestServer } from '@kgen/testserver';
import { type Drift, driftsOf, type KnownResource, type ServedApi } from 'kgen/contract';
import { beforeAll, expect, test } from 'vitest';
import { knownResource, resourcesOf } from '../../src/testing/contract-tests/known.ts';
import { readServedApi } from '../../src/testing/contract-tests/served.ts';
import { clientsOfServer, descriptorOf } from '../support/clients.ts';

/** A generated client and the API of the server that it was generated from. */
interface Pair {
  readonly client: readonly KnownResource[];
  readonly server: ServedApi;
}

/** Pairs by minor version. */
const pairs = new Map<string, Pair>();

/** Registers tests of a running server: every other version is compared with it, in both directions. */
export function crossingTests(version: string, config: () => ClusterConfig): void {
  beforeAll(async () => {
    if (!pairs.has('1.36')) pairs.set('1.36', await packaged());
    const rest = new RESTClient(config(), { onWarning: () => undefined });
    const all = await clientsOfServer(config());
    const client = all.filter(({ resource }) => resource.builtIn === true);
    pairs.set(version, { client, server: await readServedApi(rest, client.map(descriptorOf)) });
    await rest.close();
  }, 120_000);

  test('reports nothing but deprecations for a client of the same version', () => {
    expect(pairs.get(version)?.client.length).toBeGreaterThan(80);
    expect(drifts(version, version)).toEqual([]);
  });

  test('reports what is missing for clients of other versions, and nothing else', () => {
    for (const other of pairs.keys()) {
      for (const [client, server] of [
        [version, other],
        [other, version],
      ] as const) {
        if (client === server) continue;
        const found = breaking(drifts(client, server));
        const fields = found.filter((line) => line.startsWith('field-missing'));
        const lines = client < server ? found : found.filter((line) => !fields.includes(line));
        expect
          .soft({ fields: fields.length, lines }, `client ${client}, server ${server}`)
          .toEqual(crossings[`${client} ${server}`]);
      }
    }
  });
}

/** Returns the client of `@kgen/kubernetes` and the API of the server in memory. */
async function packaged(): Promise<Pair> {
  const server = await startTestServer({ controllers: false, apiVersions: 'all' });
  const rest = new RESTClient(server.config, { onWarning: () => undefined });
  const resources = resourcesOf(Clientset);
  try {
    const client = await Promise.all(resources.map(knownResource));
    return { client, server: await readServedApi(rest, resources) };
  } finally {
    await rest.close();
    await server.stop();
  }
}

function drifts(client: string, server: string): readonly Drift[] {
  const api = pairs.get(server)?.server;
  if (api === undefined) throw new Error(`${server} has not run`);
  const found = (pairs.get(client)?.client ?? []).flatMap((known) => driftsOf(known, api));
  return found.filter(({ kind }) => kind !== 'deprecated');
}

/**
 * Returns one line for each definition and field that is missing: `path` is that in the type which contains
 * the field, because `PodSpec` occurs in nine kinds.
 */
function breaking(found: readonly Drift[]): readonly string[] {
  const lines = found
    .filter((drift) => drift.breaking)
    .map(({ resource, path, kind }) => {
      if (path === '') return `${kind} ${resource}`;
      return `${kind} ${path.split('.').slice(-2).join('.')}`;
    });
  return [...new Set(lines)].sort();
}

/** Breaking drifts. */
interface Crossing {
  /** Number of missing fields. */
  readonly fields: number;
  /** All drifts; of older servers without the missing fields. */
  readonly lines: readonly string[];
}

/** Breaking drifts by client and server. They were read beside the changes of the releases. */
const crossings: Readonly<Record<string, Crossing>> = {
  '1.33 1.36': {
    fields: 2,
    lines: [
      'field-missing deviceSelector.deviceClassName',
      'field-missing deviceSelector.selectors',
      'resource-missing certificates.k8s.io/v1alpha1 clustertrustbundles',
      'resource-missing certificates.k8s.io/v1beta1 clustertrustbundles',
      'resource-missing storagemigration.k8s.io/v1alpha1 storageversionmigrations',
      'version-missing admissionregistration.k8s.io/v1beta1 validatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1beta1 validatingadmissionpolicybindings',
      'version-missing resource.k8s.io/v1alpha3 deviceclasses',
      'version-missing resource.k8s.io/v1alpha3 resourceclaims',
      'version-missing resource.k8s.io/v1alpha3 resourceclaimtemplates',
      'version-missing resource.k8s.io/v1alpha3 resourceslices',
      'version-missing storage.k8s.io/v1alpha1 volumeattributesclasses',
    ],
  },
  '1.33 1.37': {
    fields: 2,
    lines: [
      'field-missing deviceSelector.deviceClassName',
      'field-missing deviceSelector.selectors',
      'version-missing admissionregistration.k8s.io/v1beta1 validatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1beta1 validatingadmissionpolicybindings',
      'version-missing certificates.k8s.io/v1alpha1 clustertrustbundles',
      'version-missing networking.k8s.io/v1beta1 ipaddresses',
      'version-missing networking.k8s.io/v1beta1 servicecidrs',
      'version-missing resource.k8s.io/v1alpha3 deviceclasses',
      'version-missing resource.k8s.io/v1alpha3 resourceclaims',
      'version-missing resource.k8s.io/v1alpha3 resourceclaimtemplates',
      'version-missing resource.k8s.io/v1alpha3 resourceslices',
      'version-missing storage.k8s.io/v1alpha1 volumeattributesclasses',
      'version-missing storage.k8s.io/v1beta1 volumeattributesclasses',
      'version-missing storagemigration.k8s.io/v1alpha1 storageversionmigrations',
    ],
  },
  '1.36 1.37': {
    fields: 3,
    lines: [
      'field-missing basic.nodeAllocatableResourceMappings',
      'field-missing devices[].nodeAllocatableResourceMappings',
      'field-missing nodeAllocatableResourceClaimStatuses[].resources',
      'version-missing networking.k8s.io/v1beta1 ipaddresses',
      'version-missing networking.k8s.io/v1beta1 servicecidrs',
      'version-missing storage.k8s.io/v1beta1 volumeattributesclasses',
    ],
  },
  '1.36 1.33': {
    fields: 45,
    lines: [
      'enum-narrowed taint.effect',
      'enum-narrowed taints[].effect',
      'enum-narrowed tolerations[].effect',
      'enum-narrowed tolerations[].operator',
      'resource-missing resource.k8s.io/v1alpha3 resourcepoolstatusrequests',
      'subresource-missing resource.k8s.io/v1alpha3 devicetaintrules',
      'version-missing admissionregistration.k8s.io/v1 mutatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1 mutatingadmissionpolicybindings',
      'version-missing admissionregistration.k8s.io/v1beta1 mutatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1beta1 mutatingadmissionpolicybindings',
      'version-missing resource.k8s.io/v1 deviceclasses',
      'version-missing resource.k8s.io/v1 resourceclaims',
      'version-missing resource.k8s.io/v1 resourceclaimtemplates',
      'version-missing resource.k8s.io/v1 resourceslices',
      'version-missing resource.k8s.io/v1beta2 devicetaintrules',
      'version-missing storage.k8s.io/v1 volumeattributesclasses',
    ],
  },
  '1.37 1.33': {
    fields: 69,
    lines: [
      'enum-narrowed taint.effect',
      'enum-narrowed taints[].effect',
      'enum-narrowed tolerations[].effect',
      'enum-narrowed tolerations[].operator',
      'enum-narrowed updateStrategy.type',
      'resource-missing certificates.k8s.io/v1 podcertificaterequests',
      'resource-missing certificates.k8s.io/v1beta1 podcertificaterequests',
      'resource-missing lifecycle.k8s.io/v1alpha1 evictionrequests',
      'resource-missing lifecycle.k8s.io/v1alpha1 evictions',
      'resource-missing resource.k8s.io/v1alpha3 resourcepoolstatusrequests',
      'resource-missing scheduling.k8s.io/v1alpha3 compositepodgroups',
      'resource-missing scheduling.k8s.io/v1alpha3 podgroups',
      'resource-missing scheduling.k8s.io/v1alpha3 workloads',
      'resource-missing scheduling.k8s.io/v1beta1 podgroups',
      'resource-missing scheduling.k8s.io/v1beta1 workloads',
      'subresource-missing resource.k8s.io/v1alpha3 devicetaintrules',
      'subresource-missing storage.k8s.io/v1 csinodes',
      'version-missing admissionregistration.k8s.io/v1 mutatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1 mutatingadmissionpolicybindings',
      'version-missing admissionregistration.k8s.io/v1beta1 mutatingadmissionpolicies',
      'version-missing admissionregistration.k8s.io/v1beta1 mutatingadmissionpolicybindings',
      'version-missing certificates.k8s.io/v1 clustertrustbundles',
      'version-missing resource.k8s.io/v1 deviceclasses',
      'version-missing resource.k8s.io/v1 devicetaintrules',
      'version-missing resource.k8s.io/v1 resourceclaims',
      'version-missing resource.k8s.io/v1 resourceclaimtemplates',
      'version-missing resource.k8s.io/v1 resourceslices',
      'version-missing resource.k8s.io/v1beta2 devicetaintrules',
      'version-missing storage.k8s.io/v1 volumeattributesclasses',
      'version-missing storagemigration.k8s.io/v1 storageversionmigrations',
      'version-missing storagemigration.k8s.io/v1beta1 storageversionmigrations',
    ],
  },
  '1.37 1.36': {
    fields: 34,
    lines: [
      'enum-narrowed updateStrategy.type',
      'required-added nodeAllocatableResourceClaimStatuses[].resources',
      'resource-missing certificates.k8s.io/v1 clustertrustbundles',
      'resource-missing certificates.k8s.io/v1 podcertificaterequests',
      'resource-missing certificates.k8s.io/v1beta1 clustertrustbundles',
      'resource-missing certificates.k8s.io/v1beta1 podcertificaterequests',
      'resource-missing lifecycle.k8s.io/v1alpha1 evictionrequests',
      'resource-missing lifecycle.k8s.io/v1alpha1 evictions',
      'resource-missing scheduling.k8s.io/v1alpha3 compositepodgroups',
      'resource-missing scheduling.k8s.io/v1alpha3 podgroups',
      'resource-missing scheduling.k8s.io/v1alpha3 workloads',
      'resource-missing scheduling.k8s.io/v1beta1 podgroups',
      'resource-missing scheduling.k8s.io/v1beta1 workloads',
      'resource-missing storagemigration.k8s.io/v1 storageversionmigrations',
      'resource-missing storagemigration.k8s.io/v1beta1 storageversionmigrations',
      'subresource-missing storage.k8s.io/v1 csinodes',
      'version-missing resource.k8s.io/v1 devicetaintrules',
    ],
  },
};
