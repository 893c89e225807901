import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RESTClient } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  controlPlaneAvailability,
  startControlPlane,
} from '@kgen/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AuditLog, auditLog, type SeenRequest } from './audit.ts';
import { createNamespace, installDefinitions } from './sample-definitions.ts';

/** Time limit of asynchronous effects, far longer than any of them takes. */
export const deadline = { timeout: 60_000, interval: 20 } as const;

/** A control plane for the tests of a block, with the samples of `crds/`. */
export interface Env {
  readonly plane: ControlPlane;
  /** Client that bypasses every proxy. */
  readonly direct: DynamicClient;
  /** Creates namespaces for one test and returns their names. */
  namespaces(count: number): Promise<readonly string[]>;
  /** Returns the lists and watches of a client from the audit log. */
  requests(userAgent: string): readonly SeenRequest[];
}

/** Runs tests against a control plane of their own, or skips them with the reason if none is available. */
export function onControlPlane(name: string, options: ControlPlaneOptions, tests: (env: Env) => void): void {
  const reason = unavailable(options);
  if (reason === undefined || process.env['KGEN_NOTHING_SKIPPED']) {
    describe(name, { timeout: 120_000 }, () => tests(useControlPlane(options)));
    return;
  }
  describe.skip(`${name}: ${reason}`, () => {
    it('requires one', () => undefined);
  });
}

/**
 * Returns the reason. Servers of other versions than the default take minutes to build, which only CI does.
 */
function unavailable(options: ControlPlaneOptions): string | undefined {
  const { version } = options;
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  if (version !== undefined && !existsSync(join(cache, 'kgen/envtest', version, 'kube-apiserver'))) {
    return `build.mjs has not built ${version}`;
  }
  const availability = controlPlaneAvailability(options);
  return availability.available ? undefined : availability.reason;
}

function useControlPlane(options: ControlPlaneOptions): Env {
  let log: AuditLog | undefined;
  let plane: ControlPlane | undefined;
  let direct: DynamicClient | undefined;
  beforeAll(async () => {
    log = await auditLog();
    plane = await startControlPlane({
      ...options,
      apiServerFlags: [...log.flags, ...(options.apiServerFlags ?? [])],
    });
    direct = new DynamicClient(plane.config);
    await installDefinitions(direct.rest);
  }, 1_200_000); // The first start of a real server builds it.
  afterAll(async () => {
    await direct?.close();
    await plane?.stop();
    await log?.remove();
  });
  return {
    get plane() {
      return started(plane);
    },
    get direct() {
      return started(direct);
    },
    namespaces: (count) => newNamespaces(started(direct).rest, count),
    requests: (userAgent) => started(log).requests(userAgent),
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server does not run yet: use this inside a test');
  return value;
}

function newNamespaces(rest: RESTClient, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, () => `informers-${randomBytes(5).toString('hex')}`);
  return Promise.all(names.map((name) => createNamespace(rest, name)));
}
