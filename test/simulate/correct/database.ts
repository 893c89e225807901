/** A user of a database outside of the cluster, whose password is in a Secret and rotates on request. */
import { strictEqual } from 'node:assert/strict';
import { secrets } from '@kgen/kubernetes/core/v1';
import { resource, type Stored } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import type { Invariant, SimulateOptions } from '@kgen/testing';
import { optionsWith, type Site, siteOperator, sites, withStatus } from '../sites.ts';

export const because =
  'the Secret has the password before the database has it, so that any reconcile can repeat the second step';

/** Passwords by the uid of their site. */
const users = new Map<string, string>();

const hasPasswords: Invariant = (cluster, { isAtRest }) => {
  if (!isAtRest) return;
  const all = cluster.list(sites);
  strictEqual(users.size, all.length);
  for (const secret of cluster.list(secrets)) {
    const site = all.find((each) => isControlledBy(secret, each));
    if (site !== undefined) strictEqual(users.get(site.metadata.uid), passwordIn(secret));
  }
};

export const options: SimulateOptions = {
  ...optionsWith([{ suffix: 'first' }, { suffix: 'second' }]),
  start: () => users.clear(),
  invariants: [hasPasswords],
};

export const operator = siteOperator(({ rest, informers, own }) => ({
  owns: [informers.of(secrets)],
  reconcile: async (site) => {
    const { name, namespace, uid } = site.metadata;
    const client = resource(rest, secrets).in(namespace);
    const known = await client.find(name);
    const { suffix = 'none' } = site.spec;
    if (known !== undefined && !isControlledBy(known, site)) throw new Error(`Secret ${name} is not its own`);
    const secret =
      known === undefined
        ? await client.create(secretOf(site, suffix))
        : known.metadata.annotations?.['rotation'] === suffix
          ? known
          : await client.update(rotated(known, suffix));
    // A cache that is late may have a site whose user is already deleted.
    const live = await own.in(namespace).find(name);
    if (live?.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined) return;
    users.set(uid, passwordIn(secret));
    await own.in(namespace).updateStatus(withStatus(site, { message: `rotation ${suffix}` }));
  },
  finalize: async ({ metadata: { uid } }) => {
    users.delete(uid);
  },
}));

function passwordIn({ data }: { readonly data?: Readonly<Record<string, string>> | undefined }): string {
  return Buffer.from(data?.['password'] ?? '', 'base64').toString();
}

function newData(): Record<string, string> {
  const password = Math.random().toString(36).slice(2).padEnd(10, 'x');
  return { password: Buffer.from(password).toString('base64') };
}

function secretOf(site: Stored<Site>, rotation: string) {
  const { name, namespace } = site.metadata;
  const metadata = { name, namespace, annotations: { rotation } };
  return setControllerReference({ metadata, data: newData() }, site);
}

function rotated<
  T extends { readonly metadata: { readonly annotations?: Record<string, string> | undefined } },
>(known: T, rotation: string) {
  const annotations = { ...known.metadata.annotations, rotation };
  return { ...known, metadata: { ...known.metadata, annotations }, data: newData() };
}
