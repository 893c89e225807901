/** Users of sequences, whom the administrator impersonates, and their permissions. */
import type { Random } from '../support/random.ts';
import type { Step } from './step.ts';

const roles: Readonly<Record<string, readonly string[]>> = {
  vera: ['view'],
  ed: ['view', 'edit'],
  ada: ['view', 'edit', 'admin'],
};

/** Creates the permissions of users, as a real server has them without aggregated roles. */
export const permissions: readonly Step[] = Object.entries(roles).flatMap(([user, names]) =>
  names.map((name): Step => {
    const apiGroup = 'rbac.authorization.k8s.io';
    return {
      method: 'POST',
      path: `/apis/${apiGroup}/v1/clusterrolebindings`,
      body: {
        metadata: { name: `sequences-${user}-${name}` },
        roleRef: { apiGroup, kind: 'ClusterRole', name: `system:aggregate-to-${name}` },
        subjects: [{ apiGroup, kind: 'User', name: user }],
      },
      settles: true,
    };
  }),
);

/** Some requests are those of a user with fewer permissions. */
export function asUser(step: Step, random: Random): Step {
  if (!random.chance(0.12)) return step;
  return random.pick<Step>([
    { ...step, user: 'eve' },
    { ...step, user: 'eve' },
    { ...step, user: 'eve', headers: { 'impersonate-group': 'system:masters' } },
    { ...step, user: 'eve', headers: { 'impersonate-extra-a': 'b', 'impersonate-uid': '1' } },
    { ...step, user: 'vera' },
    { ...step, user: 'ed' },
    { ...step, user: 'ada' },
    { ...step, user: 'ada' },
    { ...step, user: 'system:anonymous' },
    { ...step, user: 'system:serviceaccount:{ns}:a' },
    { ...step, headers: { 'impersonate-group': 'a' } },
  ]);
}
