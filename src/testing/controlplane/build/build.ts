import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ControlPlaneUnavailableError } from '../errors.ts';
import type { ProgramFolder } from './assets.ts';
import { buildScript } from './checkout.ts';

/**
 * Builds the missing programs of a folder, which takes minutes the first time. Progress is written to
 * standard error.
 *
 * @throws {ControlPlaneUnavailableError} if the build fails; its error has been written to standard error
 */
export async function buildMissing({ folder, missing, version }: ProgramFolder): Promise<void> {
  const script = buildScript();
  if (missing.length === 0 || script === undefined || version === undefined) return;
  const args = [script, '--end-with-stdin', '--version', version, ...missing];
  // The build ends with this process, which closes its standard input.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  throw new ControlPlaneUnavailableError(
    `building ${missing.join(' and ')} for Kubernetes ${version} into ${folder} failed: see standard error above`,
  );
}
