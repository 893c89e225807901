import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProgramFolder } from './assets.ts';
import { buildScript } from './checkout.ts';
import { ControlPlaneUnavailableError } from './errors.ts';

/**
 * Builds what the folder lacks, which takes minutes the first time; progress goes to standard error.
 *
 * @throws ControlPlaneUnavailableError when the build fails; what went wrong is on standard error by then.
 */
export async function buildMissing({ folder, missing, version }: ProgramFolder): Promise<void> {
  const script = buildScript();
  if (missing.length === 0 || script === undefined || version === undefined) return;
  const args = [script, '--end-with-stdin', '--version', version, ...missing];
  // The build ends with this process: its standard input closes then.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  throw new ControlPlaneUnavailableError(
    `building ${missing.join(' and ')} for Kubernetes ${version} into ${folder} failed: see standard error above`,
  );
}
