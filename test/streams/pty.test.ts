/** Sessions between real pseudo-terminals: that of a program here, and that of a process of the server. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { repository } from '../support/emitted.ts';
import { bundleProgram } from '../support/program.ts';
import { accepting, exitStatus, type OnUpgrade, startServer, success } from './support.ts';

/** `script` of util-linux runs a command in a pseudo-terminal. */
const isAvailable =
  process.env['KGEN_NOTHING_SKIPPED'] !== undefined || spawnSync('script', ['--version']).status === 0;

/** Connects a session to the terminal. The second argument is how the program ends on SIGUSR2. */
const program = `
  import { RESTClient, resource } from '@kgen/runtime';
  import { pods } from './generated/kubernetes/core/v1/index.ts';

  const [server, ending] = process.argv.slice(2);
  const rest = new RESTClient({ server });
  const aborting = new AbortController();
  const session = await resource(rest, pods)
    .in('shop')
    .exec('web-0', { command: 'sh', stdin: true, tty: true, signal: aborting.signal });
  const endings = {
    'process.exit': () => process.exit(9),
    'an uncaught exception': () => { throw new Error('uncaught'); },
    'a rejection that is not handled': () => void Promise.reject(new Error('rejected')),
    'an abort': () => aborting.abort(new Error('aborted')),
  };
  process.on('SIGUSR2', () => endings[ending]?.());
  const exit = session.connectTerminal();
  console.log('PID=' + process.pid + '.');
  process.exitCode = (await exit).code;
  await rest.close();
`;

let folder: string;
let programFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(repository, 'node_modules', '.kgen-pty-'));
  programFile = await bundleProgram(program, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command in a pseudo-terminal whose name is written to a file, and returns what it shows. */
function inTerminal(command: string, name: string) {
  const child = spawn('script', ['-qefc', `tty > ${name}; ${command}`, '/dev/null'], {
    env: { ...process.env, SHELL: '/bin/sh', PS1: '$ ', TERM: 'dumb' },
  });
  onTestFinished(() => void child.kill());
  const shown = { text: '' };
  child.stdout.on('data', (chunk) => {
    shown.text += chunk;
  });
  child.stdin.on('error', () => undefined);
  return { child, shown };
}

/** Runs `stty` for the terminal whose name is in a file. */
async function stty(name: string, ...args: readonly string[]): Promise<string> {
  const terminal = (await readFile(name, 'utf8')).trim();
  return execFileSync('stty', ['-F', terminal, ...args], { encoding: 'utf8' });
}

/** Runs a shell in a pseudo-terminal for each session, and resizes it. */
function shells(name: string, cut: () => boolean): OnUpgrade {
  return accepting(['v5.channel.k8s.io'], (socket) => {
    let sized: Promise<unknown> = Promise.resolve();
    const { child } = inTerminal('exec sh', name);
    child.stdout.on('data', (chunk: Buffer) => {
      if (cut()) socket.terminate();
      else socket.send(Buffer.concat([Buffer.of(1), chunk]));
    });
    child.on('close', (code) => {
      socket.send(code === 0 ? success : exitStatus(code ?? 137));
      socket.close(1000);
    });
    socket.on('close', () => child.kill());
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0) child.stdin.write(data.subarray(1));
      if (data[0] !== 4) return;
      const { Width, Height } = JSON.parse(String(data.subarray(1)));
      // Rows and columns arrive as two sizes, of which the last one remains. The shell may not have begun.
      sized = sized.then(() =>
        vi.waitFor(() => stty(name, 'rows', `${Height}`, 'cols', `${Width}`), 20_000).catch(() => undefined),
      );
    });
  });
}

/** Starts the program in a terminal of 80 by 24, with the modes before and after it. */
async function start(ending: string) {
  const local = join(folder, `local-${ending.replaceAll(' ', '-')}`);
  const remote = `${local}-remote`;
  let isCut = false;
  const url = await startServer(shells(remote, () => isCut));
  const run = `${process.execPath} ${programFile} ${url} '${ending}'; code=$?`;
  // The shell continues after a program that SIGINT ended.
  const script = `trap : INT; stty rows 24 cols 80; stty -g; ${run}; echo; stty -g; echo code=$code.`;
  const { child, shown } = inTerminal(script, local);
  await expect.poll(() => shown.text).toMatch(/PID=\d+\..*\$ $/s);
  const cut = (): void => {
    isCut = true;
  };
  return { child, shown, local, cut, pid: Number(/PID=(\d+)\./.exec(shown.text)?.[1]) };
}

describe.skipIf(!isAvailable)('a program in a terminal', () => {
  it('sends keys as they are typed, and resizes the remote terminal', async () => {
    const { child, shown, local } = await start('nothing');
    expect(await stty(local, '-a')).toMatch(/ -icanon .* -echo /s);
    // The sizes arrive beside the keys: the remote shell may run a command before its terminal has them.
    const typeUntilShown = (size: RegExp): PromiseLike<void> =>
      expect
        .poll(() => {
          child.stdin.write('stty size\r');
          return shown.text;
        })
        .toMatch(size);
    await typeUntilShown(/\n24 80\r/);
    await stty(local, 'rows', '50', 'cols', '132');
    await typeUntilShown(/\n50 132\r/);
    // Ctrl-C is a key for the remote process, and ends nothing here.
    child.stdin.write('sleep 1000\r');
    await expect.poll(() => shown.text).toMatch(/sleep 1000\r/);
    child.stdin.write('\u0003');
    await expect.poll(() => shown.text).toMatch(/\^C.*\$ $/s);
    child.stdin.write('echo $((40 + 2))\r');
    await expect.poll(() => shown.text).toMatch(/\n42\r/);
    child.stdin.write('exit 3\r');
    await once(child, 'close');
    expect(shown.text).toMatch(/code=3\./);
  });

  it.each<[string, (program: Awaited<ReturnType<typeof start>>) => unknown, RegExp]>([
    ['the end of the process', ({ child }) => child.stdin.write('exit 0\r'), /code=0\./],
    ['an interrupted connection', interrupt, /without an exit status.*code=1\./s],
    ['an abort', ({ pid }) => process.kill(pid, 'SIGUSR2'), /Error: aborted.*code=1\./s],
    ['process.exit', ({ pid }) => process.kill(pid, 'SIGUSR2'), /code=9\./],
    ['an uncaught exception', ({ pid }) => process.kill(pid, 'SIGUSR2'), /Error: uncaught.*code=1\./s],
    ['a rejection that is not handled', ({ pid }) => process.kill(pid, 'SIGUSR2'), /rejected.*code=1\./s],
    ['SIGINT', ({ pid }) => process.kill(pid, 'SIGINT'), /code=130\./],
    ['SIGTERM', ({ pid }) => process.kill(pid, 'SIGTERM'), /code=143\./],
    ['SIGHUP', ({ pid }) => process.kill(pid, 'SIGHUP'), /code=129\./],
  ])('restores the modes of the terminal after %s', async (ending, end, want) => {
    const running = await start(ending);
    const { child, shown, local } = running;
    expect(await stty(local, '-a')).toMatch(/ -icanon /);
    end(running);
    await once(child, 'close');
    expect(shown.text).toMatch(want);
    const modes = shown.text.match(/^[\da-f]+(:[\da-f]+){10,}/gm) ?? [];
    expect(modes).toHaveLength(2);
    expect(modes[1]).toBe(modes[0]);
  });
});

/** Cuts the connection at the next output. */
function interrupt({ child, cut }: Awaited<ReturnType<typeof start>>): void {
  cut();
  child.stdin.write('x\r');
}
