import {
  type Checked,
  error,
  formatProblem,
  type InputProblem,
  quote,
  warning,
} from '../../common/problems.ts';
import { at, Checker, type Site } from './checker.ts';
import type { CrdDefinition } from './crd.ts';
import type { CrdInput } from './crd-input.ts';
import { checkDefinition } from './definition-warnings.ts';
import { readGroup, readNames, readScope } from './names.ts';
import { checkRules } from './rule-warnings.ts';
import { type Dialect, readVersions } from './versions.ts';

/**
 * Validates a CRD except for its schemas, and normalises v1 and v1beta1. Returns `undefined` with problems if
 * group, names, scope or every version is invalid.
 */
export function readDefinition(input: CrdInput): Checked<CrdDefinition | undefined> {
  const check = new Checker();
  const value = define(check, input);
  // Aliases have the places of their anchors.
  const problems = new Map(
    check.findings.map((finding) => {
      const problem = placed(finding, input);
      return [formatProblem(problem), problem] as const;
    }),
  );
  return { value, problems: [...problems.values()] };
}

const oldVersion =
  'apiextensions.k8s.io/v1beta1 is read as v1, and API servers since 1.22 reject it: convert the definition to v1';

function define(check: Checker, input: CrdInput): CrdDefinition | undefined {
  const root: Site = { path: [], value: input.value };
  const dialect: Dialect = at(root, 'apiVersion').value === 'apiextensions.k8s.io/v1beta1' ? 'v1beta1' : 'v1';
  if (dialect === 'v1beta1') check.warning(at(root, 'apiVersion'), oldVersion);
  const spec = at(root, 'spec');
  if (check.object(spec) === undefined) return undefined;
  const group = readGroup(check, spec);
  const names = readNames(check, spec);
  const scope = readScope(check, spec, dialect === 'v1beta1' ? 'Namespaced' : undefined);
  const versions = readVersions(check, spec, dialect);
  if (dialect === 'v1' && input.isServed !== true) {
    for (const version of versions) checkRules(check, version, input.isDeclared === true ? '@' : '');
  }
  if (group === undefined || names === undefined || scope === undefined) return undefined;
  const name = `${names.plural}.${group}`;
  if (!isNamed(check, at(at(root, 'metadata'), 'name'), name) || versions.length === 0) return undefined;
  if (dialect === 'v1' && input.isServed !== true) checkDefinition(check, input.value);
  return { name, group, names, scope, versions, input };
}

/** The API server requires that the object's name consists of plural and group. */
function isNamed(check: Checker, site: Site, name: string): boolean {
  if (site.value === name) return true;
  if (site.value === undefined) {
    check.warning(site, `metadata.name is missing and the API server rejects that: add ${quote(name)}`);
    return true;
  }
  check.error(
    site,
    `metadata.name must be the plural, a dot and the group: make it ${quote(name)}, or correct spec`,
  );
  return false;
}

function placed(finding: Checker['findings'][number], input: CrdInput): InputProblem {
  const make = finding.severity === 'error' ? error : warning;
  return make(finding.what, input.position(finding.path));
}
