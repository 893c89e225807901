/** Kinds of `rbac.authorization.k8s.io/v1`. */
import { type FieldError, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { array, equal, type Json, object, own, strings, text } from '@kgen/schema/values/json';
import { type Check, each, first, members, optional, present, valid } from './support/checks.ts';
import { fill } from './support/fill.ts';
import { pathSegmentProblem, subdomainProblem } from './support/names.ts';
import type { KindRules } from './support/rules.ts';
import { selector } from './support/selectors.ts';

const group = 'rbac.authorization.k8s.io';

const noSelector = 'at least one clusterRoleSelector required if aggregationRule is non-nil';

/** An invalid selector is reported once more, as a whole. */
const roleSelector: Check = (value, path) => {
  const errors = selector(value, path);
  return errors.length === 0 ? [] : [...errors, invalidValue(path, null, 'invalid label selector.')];
};

const aggregation: Check = members({
  aggregationRule: optional(
    members({ clusterRoleSelectors: first(present(noSelector), each(roleSelector)) }),
  ),
});

/** Rules by storage key. */
export const rbacRules: Readonly<Record<string, KindRules>> = {
  [`roles.${group}`]: { createOnUpdate: true, name: pathSegmentProblem, check: rules(true) },
  [`clusterroles.${group}`]: {
    createOnUpdate: true,
    name: pathSegmentProblem,
    check: (value, path) => [...rules(false)(value, path), ...aggregation(value, path)],
  },
  [`rolebindings.${group}`]: bindingRules(true),
  [`clusterrolebindings.${group}`]: bindingRules(false),
};

function bindingRules(isNamespaced: boolean): KindRules {
  return {
    createOnUpdate: true,
    name: pathSegmentProblem,
    defaults: (value) =>
      fill(value, {
        in: { roleRef: { set: { apiGroup: group } } },
        each: {
          subjects: {
            when: (subject) =>
              ['User', 'Group'].includes(text(subject, 'kind')) && text(subject, 'apiGroup') === ''
                ? { ...subject, apiGroup: group }
                : subject,
          },
        },
      }),
    check: binding(isNamespaced),
    checkUpdate: ({ value, old }) =>
      equal(own(value, 'roleRef'), own(old, 'roleRef')) ? [] : immutableRole(own(value, 'roleRef') ?? null),
  };
}

/** The server prints its internal type as the value. */
function immutableRole(role: Json): readonly FieldError[] {
  const value = { APIGroup: text(role, 'apiGroup'), Kind: text(role, 'kind'), Name: text(role, 'name') };
  return [invalidValue('roleRef', value, 'cannot change roleRef')];
}

function binding(isNamespaced: boolean): Check {
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return (value) => {
    const role = object(value, 'roleRef');
    const [apiGroup, kind, name] = [text(role, 'apiGroup'), text(role, 'kind'), text(role, 'name')];
    return [
      ...(apiGroup === group ? [] : [notSupported('roleRef.apiGroup', apiGroup, [group])]),
      ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
      ...(name === '' ? [required('roleRef.name')] : valid(pathSegmentProblem)(name, 'roleRef.name')),
      ...array(value, 'subjects').flatMap((subject, index) =>
        subjectErrors(subject, `subjects[${index}]`, isNamespaced),
      ),
    ];
  };
}

function subjectErrors(subject: Json, path: string, isNamespaced: boolean): readonly FieldError[] {
  const [kind, name, apiGroup] = [text(subject, 'kind'), text(subject, 'name'), text(subject, 'apiGroup')];
  const nameless = present()(name, `${path}.name`);
  const groupError = (expected: string): readonly FieldError[] =>
    apiGroup === expected ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [expected])];
  if (kind === 'ServiceAccount') {
    return [
      ...nameless,
      ...(name === '' ? [] : valid(subdomainProblem)(name, `${path}.name`)),
      ...groupError(''),
      ...(isNamespaced ? [] : present()(own(subject, 'namespace'), `${path}.namespace`)),
    ];
  }
  if (kind === 'User' || kind === 'Group') return [...nameless, ...groupError(group)];
  return [...nameless, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
}

function rules(isNamespaced: boolean): Check {
  return (value) =>
    array(value, 'rules').flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, isNamespaced));
}

function ruleErrors(rule: Json, path: string, isNamespaced: boolean): readonly FieldError[] {
  const has = (key: string): boolean => strings(rule, key).length > 0;
  const urls = strings(rule, 'nonResourceURLs');
  const verbs = has('verbs') ? [] : [required(`${path}.verbs`, 'verbs must contain at least one value')];
  if (urls.length > 0) {
    const at = `${path}.nonResourceURLs`;
    return [
      ...verbs,
      ...(isNamespaced ? [invalidValue(at, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(['apiGroups', 'resources', 'resourceNames'].some(has)
        ? [invalidValue(at, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
        : []),
    ];
  }
  return [
    ...verbs,
    ...(has('apiGroups')
      ? []
      : [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(has('resources')
      ? []
      : [required(`${path}.resources`, 'resource rules must supply at least one resource')]),
  ];
}
