import { at, type Checker, name as pathOf, type Site } from './checker.ts';
import type { CrdVersion } from './crd.ts';
import type { JsonObject } from './crd-input.ts';
import { anyText, readVersionName } from './names.ts';
import { readPrinterColumns, readSelectableFields, readSubresources } from './subresources.ts';

/** Which of the two API versions a CRD is written in. */
export type Dialect = 'v1' | 'v1beta1';

/**
 * `spec.versions` in one shape for both dialects. A version that is broken leaves findings and is left out; its
 * neighbours stay. v1beta1 may say once, beside the list, what goes for all versions, and may have no list at all.
 */
export function readVersions(check: Checker, spec: Site, dialect: Dialect): readonly CrdVersion[] {
  const sites = versionSites(check, spec, dialect);
  const seen = new Map<string, Site>();
  const versions: CrdVersion[] = [];
  for (const site of sites) {
    const version = readVersion(check, site, spec, dialect);
    if (version === undefined) continue;
    const first = seen.get(version.name);
    if (first === undefined) versions.push(version);
    else
      check.error(
        at(site, 'name'),
        `${pathOf(site)} has the name of ${pathOf(first)}: rename or remove one of them`,
      );
    seen.set(version.name, first ?? site);
  }
  return versions;
}

function versionSites(check: Checker, spec: Site, dialect: Dialect): readonly Site[] {
  const list = at(spec, 'versions');
  const single = at(spec, 'version');
  const before = check.findings.length;
  const sites = check.items(list);
  if (sites.length > 0 || check.findings.length > before) return sites;
  if (dialect === 'v1beta1' && single.value !== undefined) {
    return [{ path: spec.path, value: { name: single.value, served: true, storage: true } }];
  }
  check.error(list, 'spec.versions is missing or empty: add at least one version with a name and a schema');
  return [];
}

function readVersion(check: Checker, site: Site, spec: Site, dialect: Dialect): CrdVersion | undefined {
  if (check.object(site) === undefined) return undefined;
  const before = check.findings.length;
  const name = readVersionName(check, nameSite(site, spec));
  const schema = readSchema(check, site, spec, dialect);
  if (name === undefined || check.findings.length > before) return undefined;
  const deprecationWarning = check.optionalText(at(site, 'deprecationWarning'), anyText);
  return {
    name,
    served: readServed(check, site),
    storage: check.optionalBoolean(at(site, 'storage')) ?? false,
    deprecated: check.optionalBoolean(at(site, 'deprecated')) ?? false,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    ...schema,
    subresources: readSubresources(check, shared(site, spec, 'subresources', dialect)),
    printerColumns: readPrinterColumns(check, shared(site, spec, 'additionalPrinterColumns', dialect)),
    selectableFields: readSelectableFields(check, shared(site, spec, 'selectableFields', dialect)),
  };
}

/** The name of a v1beta1 CRD without a list of versions stands in `spec.version`. */
function nameSite(site: Site, spec: Site): Site {
  const name = at(site, 'name');
  return site.path === spec.path ? { path: at(spec, 'version').path, value: name.value } : name;
}

function readServed(check: Checker, site: Site): boolean {
  const served = at(site, 'served');
  if (served.value === undefined) {
    check.warning(
      site,
      `${pathOf(served)} is missing, kgen takes it for true and the API server refuses it: add it`,
    );
  }
  return check.optionalBoolean(served) ?? true;
}

/** A field of the version; in v1beta1 also of the spec, for versions that do not have their own. */
function shared(site: Site, spec: Site, key: string, dialect: Dialect): Site {
  const own = at(site, key);
  return own.value === undefined && dialect === 'v1beta1' ? at(spec, key) : own;
}

function readSchema(
  check: Checker,
  site: Site,
  spec: Site,
  dialect: Dialect,
): Pick<CrdVersion, 'schema' | 'schemaPath'> {
  const own = at(site, 'schema');
  const holder = own.value === undefined && dialect === 'v1beta1' ? at(spec, 'validation') : own;
  const root = at(holder, 'openAPIV3Schema');
  if (check.optionalObject(holder) === undefined) return { schemaPath: site.path };
  const schema = check.optionalObject(root);
  if (schema === undefined) return { schemaPath: site.path };
  return { schema: preserves(check, spec, dialect) ? preserving(schema) : schema, schemaPath: root.path };
}

/** `spec.preserveUnknownFields`: true unless v1beta1 says otherwise; a leftover in v1. */
function preserves(check: Checker, spec: Site, dialect: Dialect): boolean {
  return check.optionalBoolean(at(spec, 'preserveUnknownFields')) ?? dialect === 'v1beta1';
}

/** The server keeps fields that the schema does not name: what v1 says at the root of the schema. */
function preserving(schema: JsonObject): JsonObject {
  return { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
}
