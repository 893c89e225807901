/** Comparison of the resources of a client with those of a server. */
import { apiVersionOf } from '../common/names.ts';
import { schemaDrifts } from './schema-drifts.ts';
import type {
  ContractResource,
  Deprecation,
  Drift,
  KnownResource,
  ServedApi,
  ServedResource,
} from './types.ts';

/** A drift without its resource, which the caller adds. */
type ResourceDrift = Omit<Drift, 'resource'>;

/**
 * Returns the differences between a resource of a client and the API of a server, in both directions: whether
 * the server still accepts all that the client can send, and whether responses still contain all that the
 * client can read. Additions that concern no client, such as optional fields, are not drifts.
 */
export function driftsOf(known: KnownResource, api: ServedApi): readonly Drift[] {
  const resource = nameOf(known.resource);
  return resourceDrifts(known, api).map((drift) => ({ resource, ...drift }));
}

/** Returns the name of a resource in drifts: group version and plural name, such as `apps/v1 deployments`. */
export function nameOf(resource: ContractResource): string {
  return `${apiVersionOf(resource)} ${resource.plural}`;
}

function resourceDrifts(known: KnownResource, api: ServedApi): readonly ResourceDrift[] {
  const { resource } = known;
  const served = api.resources.find((other) => isSame(other.resource, resource));
  if (served === undefined) return [missing(resource, api)];
  if (served.resource.kind !== resource.kind) {
    const change = `the resource has objects of kind ${served.resource.kind}, not ${resource.kind}`;
    return [breaking('kind-changed', change)];
  }
  return [
    ...scopeDrifts(resource, served.resource),
    ...verbDrifts(resource, served.resource),
    ...selectorDrifts(resource, served.resource),
    ...deprecations(served),
    ...fieldDrifts(known, served, api),
  ];
}

type ResourceName = Pick<ContractResource, 'group' | 'version' | 'plural'>;

/** Returns whether two resources have the same group, version and plural name. */
export function isSame(a: ResourceName, b: ResourceName): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

function breaking(kind: Drift['kind'], message: string, path = ''): ResourceDrift {
  return { path, kind, breaking: true, message };
}

function missing(resource: ContractResource, { resources, unavailable }: ServedApi): ResourceDrift {
  const { group, version, kind, plural } = resource;
  const reason = unavailable.get(apiVersionOf(resource));
  if (reason !== undefined) return breaking('unavailable', `the server does not describe it: ${reason}`);
  const sameGroup = resources.map((served) => served.resource).filter((other) => other.group === group);
  const renamed = sameGroup.find((other) => other.version === version && other.kind === kind);
  if (renamed !== undefined)
    return breaking('resource-renamed', `the kind ${kind} is served as ${renamed.plural}, not ${plural}`);
  const versions = sameGroup.filter((other) => other.kind === kind).map((other) => other.version);
  if (versions.length > 0) {
    const others = [...new Set(versions)].join(', ');
    return breaking('version-missing', `version ${version} is not served; the server has ${others}`);
  }
  return breaking('resource-missing', 'the kind is not served');
}

function scopeDrifts(known: ContractResource, served: ContractResource): readonly ResourceDrift[] {
  if (known.scope === served.scope) return [];
  return [breaking('scope-changed', `the scope was ${known.scope}, is ${served.scope}`)];
}

function verbDrifts(known: ContractResource, served: ContractResource): readonly ResourceDrift[] {
  const drifts = lost(known.verbs, served.verbs).map((verb) =>
    breaking('verb-missing', `the verb ${verb} is not supported`),
  );
  for (const [name, verbs] of Object.entries(known.subresources ?? {})) {
    const now = Object.hasOwn(served.subresources ?? {}, name) ? served.subresources?.[name] : undefined;
    if (now === undefined) {
      drifts.push(breaking('subresource-missing', `the subresource ${name} is not served`));
      continue;
    }
    for (const verb of lost(verbs, now))
      drifts.push(breaking('verb-missing', `the subresource ${name} does not support the verb ${verb}`));
  }
  return drifts;
}

function lost(before: readonly string[], after: readonly string[]): readonly string[] {
  return before.filter((item) => !after.includes(item));
}

function selectorDrifts(known: ContractResource, served: ContractResource): readonly ResourceDrift[] {
  if (served.selectableFields === undefined) return [];
  return lost(known.selectableFields ?? [], served.selectableFields).map((field) =>
    breaking('selectable-field-missing', 'field selectors do not accept the field', field),
  );
}

/** Returns a deprecation from the warning of a server: `v1 Endpoints is deprecated in v1.33+; use …`. */
export function deprecationOf(message: string): Deprecation {
  const [, since] = /\bdeprecated in (v\d+(?:\.\d+)*)/.exec(message) ?? [];
  return since === undefined ? { message } : { message, since };
}

function deprecations({ deprecation }: ServedResource): readonly ResourceDrift[] {
  if (deprecation === undefined) return [];
  return [{ path: '', kind: 'deprecated', breaking: false, ...deprecation }];
}

function fieldDrifts(
  { resource, schema }: KnownResource,
  served: ServedResource,
  { unavailable }: ServedApi,
): readonly ResourceDrift[] {
  if (schema === undefined) return [];
  if (served.schema === undefined) {
    const reason = unavailable.get(apiVersionOf(resource)) ?? 'the server publishes no schema';
    return [
      { path: '', kind: 'unavailable', breaking: false, message: `fields are not compared: ${reason}` },
    ];
  }
  return schemaDrifts(schema, served.schema, {
    isSent: ['create', 'update', 'patch'].some((verb) => resource.verbs.includes(verb)),
    isBuiltIn: resource.builtIn === true,
  });
}
