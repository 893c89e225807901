import { spawn } from 'node:child_process';

/**
 * The Go tool is missing, or one of its commands failed; the message contains the command and its last
 * output.
 */
export class GoError extends Error {
  name = 'GoError';

  /**
   * @param {string} message
   * @param {{ goIsMissing?: boolean }} [options]
   */
  constructor(message, options = {}) {
    super(message);
    /** Whether the Go tool is not installed. */
    this.goIsMissing = options.goIsMissing ?? false;
  }
}

const shownLines = 30;
const running = new Set();

/**
 * Runs the Go tool in `folder` and returns its standard output.
 *
 * @param {readonly string[]} args
 * @param {string} folder
 * @returns {Promise<string>}
 * @throws {GoError}
 */
export function go(args, folder) {
  // Programs without cgo run on any machine; a Go workspace around the repository must not be used.
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    }
    running.add(child);
    child.on('error', (error) => reject(startFailure(error)));
    child.on('close', (code, signal) => {
      running.delete(child);
      if (code === 0) resolve(output.stdout);
      else reject(new GoError(`\`go ${args[0]}\` ended with ${signal ?? `code ${code}`}:\n${tail(output)}`));
    });
  });
}

/** Terminates every running Go command. */
export function stopGo() {
  for (const child of running) child.kill('SIGTERM');
}

function startFailure(error) {
  if (error.code !== 'ENOENT') return new GoError(`the Go tool cannot be started: ${error.message}`);
  return new GoError('no `go` is on the PATH: install Go 1.26 or newer', { goIsMissing: true });
}

function tail({ stdout, stderr }) {
  return `${stderr}\n${stdout}`.trim().split('\n').slice(-shownLines).join('\n');
}
