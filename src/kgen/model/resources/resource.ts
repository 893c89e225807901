import type { CrdDefinition, CrdPrinterColumn, CrdVersion } from '../../input/crd/crd.ts';
import type { PrinterColumn, Resource, ResourceNames, Subresource, Verb } from '../ir.ts';

/** Verbs of every custom resource. */
const verbs: readonly Verb[] = [
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

const subresourceVerbs: readonly Verb[] = ['get', 'update', 'patch'];

/** Builds one version of a custom resource with the names of its parts. */
export function resourceOf(crd: CrdDefinition, version: CrdVersion, names: ResourceNames): Resource {
  const { kind, listKind, plural, singular, shortNames, categories } = crd.names;
  const resource: Resource = {
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    scope: crd.scope,
    verbs,
    stored: true,
    subresources: subresourcesOf(version),
    names,
    selectableFields: version.selectableFields.map(fieldPath),
    builtIn: false,
    printerColumns: version.printerColumns.map(printerColumn),
  };
  return version.deprecated ? { ...resource, deprecated: version.deprecationWarning ?? '' } : resource;
}

function subresourcesOf({ subresources }: CrdVersion): readonly Subresource[] {
  const found: Subresource[] = [];
  if (subresources.scale !== undefined)
    found.push({ name: 'scale', verbs: subresourceVerbs, body: { is: 'scale' } });
  if (subresources.status) found.push({ name: 'status', verbs: subresourceVerbs, body: { is: 'self' } });
  return found;
}

/** Removes the leading dot of JSON paths, which field selectors do not have. */
function fieldPath(jsonPath: string): string {
  return jsonPath.startsWith('.') ? jsonPath.slice(1) : jsonPath;
}

function printerColumn({ name, type, description }: CrdPrinterColumn): PrinterColumn {
  return description === undefined ? { name, type } : { name, type, description };
}
