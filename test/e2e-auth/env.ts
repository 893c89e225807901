import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clientset } from '@kgen/kubernetes';
import type { ClusterConfig } from '@kgen/runtime';
import { type ControlPlane, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll } from 'vitest';
import type { Finished } from '../support/cluster-tests.ts';
import { type Issuer, startIssuer } from '../support/oidc-issuer.ts';

/** A server with every method of authentication; usable once it runs. */
export interface Env {
  readonly controlPlane: ControlPlane;
  readonly issuer: Issuer;
  /** Clientset of the administrator. */
  readonly admin: Clientset;
  /** Writes a file into the folder of these tests, and returns its path. */
  file(name: string, content: string): string;
}

/** User that the server recognizes. */
export interface Identity {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Creates a clientset that is closed at the end of the test. */
export function clientsetOf(config: ClusterConfig, finished: Finished): Clientset {
  const clientset = new Clientset(config);
  finished(() => clientset.close());
  return clientset;
}

/** Returns the user of a clientset, as the server sees it. */
export async function whoIs(clientset: Clientset): Promise<Identity> {
  const review = await clientset.authenticationV1.selfSubjectReviews().create({});
  const { username = '', uid = '', groups = [], extra = {} } = review.status?.userInfo ?? {};
  return { username, uid, groups: [...groups].sort(), extra };
}

interface Running {
  readonly controlPlane: ControlPlane;
  readonly issuer: Issuer;
  readonly admin: Clientset;
}

async function open(folder: string): Promise<Running> {
  const issuer = await startIssuer();
  writeFileSync(join(folder, 'issuer.pem'), issuer.ca);
  const controlPlane = await startControlPlane({
    apiServerFlags: [
      `--oidc-issuer-url=${issuer.url}`,
      `--oidc-client-id=${issuer.clientId}`,
      `--oidc-ca-file=${join(folder, 'issuer.pem')}`,
      '--oidc-username-claim=sub',
      '--oidc-username-prefix=oidc:',
      '--oidc-groups-claim=groups',
    ],
  });
  return { controlPlane, issuer, admin: new Clientset(controlPlane.config) };
}

/** Starts the server and the issuer before the tests of the current block, and stops them afterwards. */
export function useServer(): Env {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-auth-'));
  let started: Running | undefined;
  // The first start builds the server.
  const startTimeout = 1_200_000;
  beforeAll(async () => {
    started = await open(folder);
  }, startTimeout);
  afterAll(async () => {
    await started?.admin.close();
    await started?.controlPlane.stop();
    await started?.issuer.close();
    rmSync(folder, { recursive: true });
  });
  const running = (): Running => {
    if (started === undefined) throw new Error('the server does not run yet: use this inside a test');
    return started;
  };
  return {
    get controlPlane() {
      return running().controlPlane;
    },
    get issuer() {
      return running().issuer;
    },
    get admin() {
      return running().admin;
    },
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}
