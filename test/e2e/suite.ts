/**
 * Behaviour of a generated client on any server. Every expectation goes through the code that kgen generates
 * for `crds/*.yaml` and holds literally for a real kube-apiserver and for the server in memory.
 *
 * Each test works in a namespace of its own, or on cluster-scoped objects with unique names, and waits for
 * conditions, never for a fixed time. No test waits until a namespace is deleted, which requires controllers.
 */
import { describe, expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { accessTests } from './access.ts';
import { applyTests } from './apply.ts';
import { bookmarkTests } from './bookmarks.ts';
import { collectionTests } from './collection.ts';
import { definitionTests } from './definitions.ts';
import { deletionTests } from './deletion.ts';
import { dryRunTests } from './dry-run.ts';
import { type ServerUnderTest, useServer } from './env.ts';
import { errorTests } from './errors.ts';
import { informerCutTests, informerTests } from './informer.ts';
import { int64Tests } from './int64.ts';
import { listTests } from './list.ts';
import { objectTests } from './objects.ts';
import { ownershipTests } from './ownership.ts';
import { patchTests } from './patch.ts';
import { foos, myApps, redisClusters, showcases } from './samples.ts';
import { scaleTests } from './scale.ts';
import { selectorTests } from './selectors.ts';
import { statusTests } from './status.ts';
import { validationTests } from './validation.ts';
import { versionTests } from './versions.ts';
import { waitingTests } from './waiting.ts';
import { watchTests } from './watch.ts';
import { watchCutTests } from './watch-cut.ts';

/** Registers the whole suite for one server. */
export function e2e(server: ServerUnderTest): void {
  describe(`generated clients on ${server.name}`, { timeout: 180_000 }, () => {
    describe('short tests', () => {
      const env = useServer(server);
      definitionTests(env);
      for (const tests of [objectTests, statusTests, listTests, watchTests, informerTests]) {
        tests(env, myApps);
        tests(env, foos);
        tests(env, redisClusters);
      }
      objectTests(env, showcases);
      statusTests(env, showcases);
      patchTests(env);
      int64Tests(env);
      applyTests(env);
      scaleTests(env);
      selectorTests(env);
      validationTests(env);
      waitingTests(env);
      versionTests(env);
      errorTests(env);
      accessTests(env);
      dryRunTests(env);
      deletionTests(env);
      collectionTests(env);
      // Run concurrently, because each takes long: clients wait before they reconnect, a real server sends
      // bookmarks once a minute, and its garbage collector discovers new kinds twice a minute.
      describe('long tests', { concurrent: true }, () => {
        bookmarkTests(env);
        ownershipTests(env);
        for (const tests of [watchCutTests, informerCutTests]) {
          tests(env, myApps);
          tests(env, foos);
          tests(env, redisClusters);
        }
      });
    });

    it('leaves no connection open', async () => {
      await expect.poll(openConnections, deadline).toEqual([]);
    });
  });
}

function openConnections(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => /^(TCP|TLS)/.test(resource));
}
