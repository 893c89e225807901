/** A kind with optional members, maps, lists and references, and parts of its operators. */
import type { ManagerOptions } from '@kgen/controller';
import { type ConfigMap, configMaps } from '@kgen/kubernetes/core/v1';
import { isNotFound, type KubernetesObject, type ObjectMeta, resource, type Stored } from '@kgen/runtime';
import {
  type CustomCrud,
  type CustomWriteStatus,
  defineResource,
  type NamespacedResource,
} from '@kgen/runtime/client';
import { setControllerReference } from '@kgen/runtime/objects';
import type { Operator, SimulateOptions } from '@kgen/testing';
import { type ControllerParts, operatorOf, type Parts } from './operator-of.ts';

/** Desired state of a site. Operators of the tests use a part of it. */
export interface SiteSpec {
  readonly image: string;
  readonly replicas?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly hosts?: readonly string[];
  readonly cache?: { readonly size: string };
  /** Part of the name of a child. */
  readonly suffix?: string;
  /** Name of a Secret or ConfigMap of the user. */
  readonly reference?: string;
  readonly ttlSeconds?: number;
  readonly everySeconds?: number;
}

export interface SiteStatus {
  readonly phase?: string;
  readonly message?: string;
  readonly observedGeneration?: number | undefined;
  readonly replicas?: number;
  readonly time?: string;
}

export interface Site {
  readonly apiVersion?: 'web.example.com/v1';
  readonly kind?: 'Site';
  readonly metadata?: ObjectMeta;
  readonly spec: SiteSpec;
  readonly status?: SiteStatus;
}

interface SiteList {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: Stored<Site>[];
}

interface SiteClient extends CustomCrud<Site, SiteList>, CustomWriteStatus<Site> {}

export const sites: NamespacedResource<Site, SiteList, SiteClient> = defineResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  listKind: 'SiteList',
  plural: 'sites',
  singular: 'site',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: { status: ['get', 'patch', 'update'] },
});

const string = { type: 'string' };
const integer = { type: 'integer', minimum: 0 };

const spec = {
  type: 'object',
  required: ['image'],
  properties: {
    image: string,
    replicas: integer,
    settings: { type: 'object', additionalProperties: string },
    hosts: { type: 'array', items: string },
    cache: { type: 'object', required: ['size'], properties: { size: string } },
    suffix: string,
    reference: string,
    ttlSeconds: integer,
    everySeconds: integer,
  },
};

const status = {
  type: 'object',
  properties: {
    phase: string,
    message: string,
    observedGeneration: integer,
    replicas: integer,
    time: string,
  },
};

/** Definition of the kind. */
export const siteDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.web.example.com' },
  spec: {
    group: 'web.example.com',
    scope: 'Namespaced',
    names: { kind: 'Site', listKind: 'SiteList', plural: 'sites', singular: 'site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status } } },
      },
    ],
  },
};

/** Returns the options of a simulation whose users create sites with these members, and other objects. */
export function optionsWith(
  specs: readonly Partial<SiteSpec>[],
  others: readonly KubernetesObject[] = [],
): SimulateOptions {
  const names = ['web', 'web-2'];
  const samples = specs.map((each, index) => ({
    apiVersion: 'web.example.com/v1',
    kind: 'Site',
    metadata: { name: names[index] ?? `web-${index}`, namespace: 'default' },
    spec: { image: `web:${index + 1}`, ...each },
  }));
  return { crds: [siteDefinition], samples: [...samples, ...others] };
}

/** Two images, and nothing else. */
export const plainOptions: SimulateOptions = optionsWith([{}, {}]);

/** Parts from which an operator of sites builds its controller. */
export interface SiteParts extends Parts {
  readonly own: ReturnType<typeof clientsOf>['own'];
  readonly maps: ReturnType<typeof clientsOf>['maps'];
}

/** Returns an operator of sites. */
export function siteOperator(
  build: (parts: SiteParts) => ControllerParts<Site>,
  own: ManagerOptions = {},
): Operator {
  return operatorOf(
    (informers) => informers.of(sites),
    (parts) => build({ ...parts, ...clientsOf(parts) }),
    own,
  );
}

function clientsOf({ rest }: Parts) {
  return { own: resource(rest, sites), maps: resource(rest, configMaps) };
}

export const owner = { fieldManager: 'sites', force: true } as const;

/** Returns a ConfigMap of a site with the image of the site, or other data. */
export function mapOf(
  site: Stored<Site>,
  data: Readonly<Record<string, string>> = { image: site.spec.image },
  name: string = site.metadata.name,
) {
  const { namespace } = site.metadata;
  return setControllerReference({ metadata: { name, namespace, labels: labelsOf(site) }, data }, site);
}

/** Returns a ConfigMap of a site whose name the server generates. */
export function generatedMapOf(site: Stored<Site>, data?: Readonly<Record<string, string>>): ConfigMap {
  const { metadata, ...map } = mapOf(site, data);
  const { name, ...rest } = metadata;
  return { ...map, metadata: { ...rest, generateName: `${name}-` } };
}

/** Returns a site with members of its status. A manager does not send an update that would change nothing. */
export function withStatus(site: Stored<Site>, own: SiteStatus): Stored<Site> {
  return { ...site, status: { ...site.status, ...own } };
}

/** Handler of a deletion: there may be no object. */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

export function labelsOf({ metadata: { name } }: Stored<Site>): Record<string, string> {
  return { site: name };
}

/** Waits by a timer of the process. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
