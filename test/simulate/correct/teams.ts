/** A cluster-scoped kind: each team owns a Namespace, with an account and a role in it. */
import { namespaces, serviceAccounts } from '@kgen/kubernetes/core/v1';
import { clusterRoles, roleBindings } from '@kgen/kubernetes/rbac.authorization.k8s.io/v1';
import { type ObjectMeta, resource, type Stored } from '@kgen/runtime';
import {
  type ClusterResource,
  type CustomCrud,
  type CustomWriteStatus,
  defineResource,
} from '@kgen/runtime/client';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import type { SimulateOptions } from '@kgen/testing';
import { operatorOf } from '../operator-of.ts';

export const because = 'all objects have the team as their owner, which is cluster-scoped as well';

interface Team {
  readonly apiVersion?: 'teams.example.com/v1';
  readonly kind?: 'Team';
  readonly metadata?: ObjectMeta;
  readonly spec: { readonly verbs: readonly string[]; readonly contact?: string };
  readonly status?: { readonly phase?: string };
}

interface TeamList {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: Stored<Team>[];
}

interface TeamClient extends CustomCrud<Team, TeamList>, CustomWriteStatus<Team> {}

const teams: ClusterResource<Team, TeamList, TeamClient> = defineResource({
  group: 'teams.example.com',
  version: 'v1',
  kind: 'Team',
  listKind: 'TeamList',
  plural: 'teams',
  singular: 'team',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: { status: ['get', 'patch', 'update'] },
});

const string = { type: 'string' };

const properties = {
  spec: {
    type: 'object',
    required: ['verbs'],
    properties: { verbs: { type: 'array', items: string }, contact: string },
  },
  status: { type: 'object', properties: { phase: string } },
};

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'teams.teams.example.com' },
  spec: {
    group: 'teams.example.com',
    scope: 'Cluster',
    names: { kind: 'Team', listKind: 'TeamList', plural: 'teams', singular: 'team' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties } },
      },
    ],
  },
};

const kind = { apiVersion: 'teams.example.com/v1', kind: 'Team' };

const samples = [
  { ...kind, metadata: { name: 'shop' }, spec: { verbs: ['get'], contact: 'shop@example.com' } },
  { ...kind, metadata: { name: 'shop-2' }, spec: { verbs: ['get', 'list'] } },
];

export const options: SimulateOptions = { crds: [definition], samples };

const owner = { fieldManager: 'teams', force: true } as const;

export const operator = operatorOf(
  (informers) => informers.of(teams),
  ({ rest, informers }) => ({
    owns: [
      informers.of(namespaces),
      informers.of(clusterRoles),
      informers.of(serviceAccounts),
      informers.of(roleBindings),
    ],
    reconcile: async (team) => {
      const name = `team-${team.metadata.name}`;
      const own = resource(rest, teams);
      const known = await resource(rest, namespaces).find(name);
      const isFormer = known !== undefined && !isControlledBy(known, team);
      // One of a former team with this name is refused, until it is gone.
      if (isFormer || known?.metadata.deletionTimestamp !== undefined) return { requeueAfterMs: 1_000 };
      await resource(rest, namespaces).apply(setControllerReference(namespaceOf(team, name), team), owner);
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: [...team.spec.verbs] }];
      const role = setControllerReference({ metadata: { name }, rules }, team);
      await resource(rest, clusterRoles).apply(role, owner);
      const metadata = { name: 'team', namespace: name };
      await resource(rest, serviceAccounts).in(name).apply(setControllerReference({ metadata }, team), owner);
      const binding = {
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name: 'team', namespace: name }],
      };
      await resource(rest, roleBindings).in(name).apply(setControllerReference(binding, team), owner);
      await own.updateStatus({ ...team, status: { phase: 'Ready' } });
      return undefined;
    },
  }),
);

function namespaceOf({ spec: { contact } }: Stored<Team>, name: string) {
  return { metadata: { name, ...(contact !== undefined && { annotations: { contact } }) } };
}
