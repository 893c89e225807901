import { isObject } from '../json.ts';
import { at, type Checker, type Site } from './checker.ts';
import type { CrdPrinterColumn, CrdScale, CrdSubresources } from './crd.ts';
import { anyText } from './names.ts';

/** Reads `subresources` of a version, or of a whole v1beta1 CRD. */
export function readSubresources(check: Checker, site: Site): CrdSubresources {
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
export function readSelectableFields(check: Checker, site: Site): readonly string[] {
  return check
    .items(site)
    .map((item) => (isObject(item.value) ? check.text(at(item, 'jsonPath'), anyText) : check.object(item)))
    .filter((path) => typeof path === 'string');
}
