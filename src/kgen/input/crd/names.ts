/** Names in CRDs: input that becomes identifiers and paths is checked here. */
import { isKind, isLabel, isSubdomain } from '../../common/names.ts';
import { at, type Checker, type Site, type TextRule } from './checker.ts';
import type { CrdNames, CrdScope } from './crd.ts';
import type { JsonValue } from './crd-input.ts';

/**
 * Rules for strings that become parts of paths, identifiers and comments. They are those of the API server,
 * and no valid name can leave a folder, a string literal or a comment.
 */
const label: TextRule = {
  test: isLabel,
  words: 'a DNS label: a lower-case letter, then letters, digits and dashes, at most 63',
};

const subdomain: TextRule = {
  test: isSubdomain,
  words: 'a DNS name in lower case, such as `example.com`',
};

const kind: TextRule = {
  test: isKind,
  words: 'a kind such as `MyApp`: a letter, then letters, digits and dashes, at most 63',
};

/** Any string. */
export const anyText: TextRule = { test: () => true, words: 'a string' };

/** Reads `spec.versions[].name`, such as `v1alpha1`. */
export function readVersionName(check: Checker, site: Site): string | undefined {
  return check.text(site, { ...label, words: 'a version such as `v1` or `v1alpha1`, in lower case' });
}

/** Reads `spec.group`. */
export function readGroup(check: Checker, spec: Site): string | undefined {
  return check.text(at(spec, 'group'), {
    ...subdomain,
    words: 'the API group, a DNS name in lower case such as `example.com`',
  });
}

/** Reads `spec.scope`, whose default is Namespaced in v1beta1. */
export function readScope(check: Checker, spec: Site, fallback: CrdScope | undefined): CrdScope | undefined {
  const site = at(spec, 'scope');
  if (site.value === undefined && fallback !== undefined) return fallback;
  const isScope = (value: JsonValue | undefined): value is CrdScope =>
    value === 'Namespaced' || value === 'Cluster';
  const text = check.text(site, { test: isScope, words: '`Namespaced` or `Cluster`' });
  return isScope(text) ? text : undefined;
}

/** Reads `spec.names`. Returns `undefined` unless every required name is present and valid. */
export function readNames(check: Checker, spec: Site): CrdNames | undefined {
  const names = at(spec, 'names');
  if (check.object(names) === undefined) return undefined;
  const before = check.errors;
  const kindName = check.text(at(names, 'kind'), kind);
  const plural = check.text(at(names, 'plural'), {
    ...label,
    words: 'the plural in lower case, as in the URL of the resource, such as `myapps`, at most 63 characters',
  });
  const listKind = check.optionalText(at(names, 'listKind'), kind);
  const singular = check.optionalText(at(names, 'singular'), orEmpty(label));
  const shortNames = check.texts(at(names, 'shortNames'), label);
  const categories = check.texts(at(names, 'categories'), label);
  if (kindName === undefined || plural === undefined || check.errors > before) return undefined;
  return {
    kind: kindName,
    plural,
    listKind: listKind ?? `${kindName}List`,
    singular: singular || kindName.toLowerCase(),
    shortNames,
    categories,
  };
}

/** Go encodes an absent string as `""`. */
function orEmpty(rule: TextRule): TextRule {
  return { ...rule, test: (text) => text === '' || rule.test(text) };
}
