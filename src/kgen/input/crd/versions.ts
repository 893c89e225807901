/** Versions of CRDs of v1 and v1beta1, in one form. */
import { describe, isObject } from '../json.ts';
import { at, type Checker, isCutOff, name as pathOf, type Site } from './checker.ts';
import type { CrdPrinterColumn, CrdScale, CrdSubresources, CrdVersion } from './crd.ts';
import type { JsonObject, JsonPath } from './crd-input.ts';
import { anyText, readVersionName } from './names.ts';
import { checkSchema } from './schema-rules.ts';

/** API version of a CRD. */
export type Dialect = 'v1' | 'v1beta1';

/**
 * Reads `spec.versions` in one form for both API versions. An invalid version adds findings and is dropped;
 * the others are kept. In v1beta1, members beside the list apply to all versions, and the list may be absent.
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
  const before = check.errors;
  const sites = check.items(list);
  if (sites.length > 0 || check.errors > before) return sites;
  if (dialect === 'v1beta1' && single.value !== undefined) {
    return [{ path: spec.path, value: { name: single.value, served: true, storage: true } }];
  }
  check.error(list, 'spec.versions is missing or empty: add at least one version with a name and a schema');
  return [];
}

function readVersion(check: Checker, site: Site, spec: Site, dialect: Dialect): CrdVersion | undefined {
  if (check.object(site) === undefined) return undefined;
  const before = check.errors;
  const name = readVersionName(check, nameSite(site, spec));
  const schema = readSchema(check, site, spec, dialect);
  const deprecationWarning = check.optionalText(at(site, 'deprecationWarning'), anyText);
  const about = {
    served: readServed(check, site),
    storage: check.optionalBoolean(at(site, 'storage')) ?? false,
    deprecated: check.optionalBoolean(at(site, 'deprecated')) ?? false,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    subresources: readSubresources(check, shared(site, spec, 'subresources', dialect)),
    printerColumns: readPrinterColumns(check, shared(site, spec, 'additionalPrinterColumns', dialect)),
    selectableFields: readSelectableFields(check, shared(site, spec, 'selectableFields', dialect)),
  };
  return name === undefined || check.errors > before ? undefined : { name, ...about, ...schema };
}

/** The version of a v1beta1 CRD without a list of versions is `spec.version`. */
function nameSite(site: Site, spec: Site): Site {
  const name = at(site, 'name');
  return site.path === spec.path ? { path: at(spec, 'version').path, value: name.value } : name;
}

function readServed(check: Checker, site: Site): boolean {
  const served = at(site, 'served');
  if (served.value === undefined) {
    check.warning(
      site,
      `${pathOf(served)} is missing, kgen treats it as true and the API server rejects it: add it`,
    );
  }
  return check.optionalBoolean(served) ?? true;
}

/** Returns a member of the version. In v1beta1, the spec is used for versions without that member. */
function shared(site: Site, spec: Site, key: string, dialect: Dialect): Site {
  const own = at(site, key);
  return own.value === undefined && dialect === 'v1beta1' ? at(spec, key) : own;
}

type SchemaPart = Pick<CrdVersion, 'schema' | 'schemaPath'>;

function readSchema(check: Checker, site: Site, spec: Site, dialect: Dialect): SchemaPart {
  const isShared = dialect === 'v1beta1' && !Object.hasOwn(Object(site.value), 'schema');
  const [parent, key] = isShared ? ([spec, 'validation'] as const) : ([site, 'schema'] as const);
  const schema = readRoot(check, parent, key);
  if (schema.value !== undefined) {
    checkSchema(check, schema.path, schema.value);
    return { schema: schema.value, schemaPath: schema.path };
  }
  if (dialect === 'v1' && !schema.isBroken) {
    const what = `${pathOf(site)} has no schema.openAPIV3Schema, kgen types its objects as unknown and the API server rejects it: add it`;
    check.warning(site, what);
  }
  return { schemaPath: site.path };
}

interface Root {
  readonly path: JsonPath;
  readonly value: JsonObject | undefined;
  readonly isBroken: boolean;
}

/** Reads the schema of whole objects, whose type must be object. */
function readRoot(check: Checker, parent: Site, key: string): Root {
  const before = check.errors;
  const holder = at(parent, key);
  const root = at(holder, 'openAPIV3Schema');
  refuseCutOff(check, parent, key);
  refuseCutOff(check, holder, 'openAPIV3Schema');
  const value = check.optionalObject(holder) && check.optionalObject(root);
  const type = at(root, 'type');
  if (isCutOff(root, 'type') || (type.value !== undefined && type.value !== 'object')) {
    check.error(
      type,
      `${pathOf(type)} is ${describe(type.value)}, a schema that is not an object: make it object`,
    );
  }
  const isBroken = check.errors > before;
  return { path: root.path, value: isBroken ? undefined : value, isBroken };
}

function refuseCutOff(check: Checker, parent: Site, key: string): void {
  if (!isCutOff(parent, key)) return;
  const site = at(parent, key);
  check.error(site, `${pathOf(site)} is empty, as in a truncated file: write the schema, or remove the key`);
}

/** Reads `subresources` of a version, or of a whole v1beta1 CRD. */
function readSubresources(check: Checker, site: Site): CrdSubresources {
  if (check.optionalObject(site) === undefined) return { status: false };
  const status = check.optionalObject(at(site, 'status')) !== undefined;
  const scale = readScale(check, at(site, 'scale'));
  return scale === undefined ? { status } : { status, scale };
}

/** Only the server uses the paths of a scale, but they are validated as required members. */
function readScale(check: Checker, site: Site): CrdScale | undefined {
  if (check.optionalObject(site) === undefined) return undefined;
  const specReplicasPath = check.text(at(site, 'specReplicasPath'), anyText);
  const statusReplicasPath = check.text(at(site, 'statusReplicasPath'), anyText);
  check.optionalText(at(site, 'labelSelectorPath'), anyText);
  if (specReplicasPath === undefined || statusReplicasPath === undefined) return undefined;
  return { specReplicasPath };
}

/** Reads `additionalPrinterColumns`. In v1beta1 the path is called `JSONPath`. */
export function readPrinterColumns(check: Checker, site: Site): readonly CrdPrinterColumn[] {
  return check
    .items(site)
    .map((item) => readPrinterColumn(check, item))
    .filter((column) => column !== undefined);
}

function readPrinterColumn(check: Checker, site: Site): CrdPrinterColumn | undefined {
  if (check.object(site) === undefined) return undefined;
  const name = check.text(at(site, 'name'), anyText);
  const type = check.text(at(site, 'type'), anyText);
  const beta = at(site, 'JSONPath');
  const jsonPath = check.text(beta.value === undefined ? at(site, 'jsonPath') : beta, anyText);
  if (name === undefined || type === undefined || jsonPath === undefined) return undefined;
  const description = check.optionalText(at(site, 'description'), anyText);
  return { name, type, jsonPath, ...(description === undefined ? {} : { description }) };
}

/** Reads `selectableFields`: the paths, as written. */
function readSelectableFields(check: Checker, site: Site): readonly string[] {
  return check
    .items(site)
    .map((item) => (isObject(item.value) ? check.text(at(item, 'jsonPath'), anyText) : check.object(item)))
    .filter((path) => typeof path === 'string');
}
