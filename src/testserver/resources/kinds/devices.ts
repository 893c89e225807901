/** Devices of dynamic resource allocation: claims, classes, slices and taints. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { array, isObject, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { all, type Check, each, immutable, isEmpty, members, present, whole } from './support/checks.ts';
import { type Fill, fill } from './support/fill.ts';
import { qualifiedProblems, subdomainProblem } from './support/names.ts';
import { type KindRules, type KindWrite, restoredMetadata } from './support/rules.ts';

const device: Fill = { when: (request) => withCount(request) };

function withCount(request: JsonObject): JsonObject {
  const mode = text(request, 'allocationMode') || 'ExactCount';
  const count = mode === 'ExactCount' && Number(own(request, 'count') ?? 0) === 0 ? { count: 1 } : {};
  return { ...request, allocationMode: mode, ...count };
}

const claimFill: Fill = {
  in: { devices: { each: { requests: { in: { exactly: device }, each: { firstAvailable: device } } } } },
};

const opaque: Check = (value, path) => (isObject(value) ? [] : [required(path)]);
const configured: Check = members({ config: each(members({ opaque })) });

const oneRequest = 'exactly one of `exactly` or `firstAvailable` is required';
const oneAttribute =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

const request: Check = whole((value, path) => {
  const forms = [own(value, 'exactly'), array(value, 'firstAvailable')[0]].filter(
    (form) => form !== undefined,
  );
  return forms.length === 0 ? [required(path, oneRequest)] : [];
});

const constraint: Check = whole((value, path) => {
  const hasAttribute = ['matchAttribute', 'distinctAttribute'].some((key) => own(value, key) !== undefined);
  return hasAttribute ? [] : [required(path, oneAttribute)];
});

const unknownRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Checks that configurations and constraints name requests of their claim, or alternatives of these. */
const references: Check = whole((value, path) => {
  const names = new Set(
    array(value, 'requests').flatMap((each) => {
      const name = text(each, 'name');
      const alternatives = array(each, 'firstAvailable').map((item) => `${name}/${text(item, 'name')}`);
      return [name, ...alternatives];
    }),
  );
  return ['config', 'constraints'].flatMap((list) =>
    array(value, list).flatMap((each, index) =>
      strings(each, 'requests').flatMap((name, at) =>
        names.has(name)
          ? []
          : [invalidValue(`${path}.${list}[${index}].requests[${at}]`, name, unknownRequest)],
      ),
    ),
  );
});

const claimed: Check = members({
  devices: all(members({ requests: each(request), constraints: each(constraint) }), configured, references),
});

/** A device has both lists of conditions, or none of them. */
const bound: Check = whole((value, path) => {
  const lists = ['bindingConditions', 'bindingFailureConditions'] as const;
  const [missing] = lists.filter((key) => array(value, key).length === 0);
  const [given] = lists.filter((key) => array(value, key).length > 0);
  if (missing === undefined || given === undefined) return [];
  return [invalidValue(`${path}.${missing}`, null, `${missing} are required to use ${given}`)];
});

const taint: Check = members({
  key: (value, path) =>
    qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
  effect: present(),
});

const oneNode = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

const slices: KindRules = {
  generation: true,
  check: members({
    spec: whole((value, path) => {
      const pool = object(value, 'pool');
      const count = Number(own(pool, 'resourceSliceCount') ?? 0);
      const nodes = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'].filter(
        (key) => !isEmpty(own(value, key)),
      );
      return [
        ...present()(own(value, 'driver'), `${path}.driver`),
        ...present()(own(pool, 'name'), `${path}.pool.name`),
        ...(count > 0
          ? []
          : [invalidValue(`${path}.pool.resourceSliceCount`, count, 'must be greater than zero')]),
        ...(nodes.length === 1 ? [] : [required(path, oneNode)]),
        ...each(bound)(own(value, 'devices'), `${path}.devices`),
      ];
    }),
  }),
  checkUpdate: ({ value, old }) =>
    [['pool', 'name'], ['driver'], ['nodeName']].flatMap((path) => {
      const shown = text(value, 'spec', ...path);
      return immutable(`spec.${path.join('.')}`, shown, text(old, 'spec', ...path));
    }),
};

/** Rules by storage key. */
export const deviceRules: Readonly<Record<string, KindRules>> = {
  'deviceclasses.resource.k8s.io': {
    name: inBytes,
    generation: true,
    check: members({ spec: configured }),
  },
  'resourceclaims.resource.k8s.io': {
    statusKeeps: restoredMetadata,
    checkUpdate: fixedSpec,
    defaults: (value) => fill(value, { in: { spec: claimFill } }),
    checkWrite: atCreation(members({ spec: claimed })),
  },
  'resourceclaimtemplates.resource.k8s.io': {
    checkUpdate: fixedSpec,
    defaults: (value) => fill(value, { in: { spec: { in: { spec: claimFill } } } }),
    checkWrite: atCreation(members({ spec: members({ spec: claimed }) })),
  },
  'resourceslices.resource.k8s.io': slices,
  'devicetaintrules.resource.k8s.io': { generation: true, check: members({ spec: members({ taint }) }) },
  'resourcepoolstatusrequests.resource.k8s.io': {
    unconditionalUpdate: false,
    check: members({ spec: members({ driver: present() }) }),
  },
};

/** Checks what cannot change later. */
function atCreation(check: Check): (write: KindWrite) => readonly FieldError[] {
  return ({ value, old }) => (old === undefined ? check(value, '') : []);
}

function fixedSpec({ value, old }: KindWrite & { readonly old: JsonObject }): readonly FieldError[] {
  return immutable('spec', own(value, 'spec'), own(old, 'spec'));
}

/** The server counts bytes in the names of device classes. */
function inBytes(name: string): string | undefined {
  return subdomainProblem(name)?.replace('253 characters', '253 bytes');
}
