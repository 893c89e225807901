/** The suites of controller-runtime. */
import { join } from 'node:path';
import { buildProgram } from './build.ts';
import { runProgram } from './program.ts';
import { openServer, type Server, type ServerName } from './servers.ts';
import type { Spec } from './spec.ts';

const script = 'build-controller-runtime.mjs';

/** Returns the names of the suites: packages below `pkg`, with dots for slashes. */
export async function listSuites(): Promise<readonly string[]> {
  return (await buildProgram(script, ['--list'])).split('\n');
}

/** Starts a server without controllers, as envtest does. */
export async function openForSuites(on: ServerName): Promise<Server> {
  return openServer(on, {}, false);
}

/** Runs a suite on a server. */
export async function runSuite(suite: string, server: Server, log: string): Promise<readonly Spec[]> {
  const folder = await buildProgram(script, [suite]);
  const assets = await buildProgram('../envtest/build.mjs');
  return runProgram({
    program: join(folder, 'specs', suite),
    args: [],
    env: { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: server.kubeconfig, KUBEBUILDER_ASSETS: assets },
    cwd: join(folder, 'pkg', ...suite.split('.')),
    folder: server.folder,
    log,
    prefix: suite,
  });
}
