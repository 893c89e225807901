/** Commands of the shell, and programs of busybox that tests use. */
import { Exit, type Shell, type Streams } from './run.ts';
import { archive } from './tar.ts';

type Builtin = (shell: Shell, args: readonly string[], io: Streams) => Generator<number, number>;

/** A command that takes no time. */
function instant(run: (shell: Shell, args: readonly string[], io: Streams) => number): Builtin {
  // biome-ignore lint/correctness/useYield: it takes no time.
  return function* (shell, args, io) {
    return run(shell, args, io);
  };
}

const forever = 24 * 3_600_000;

/** Commands by name. */
export const builtins: Readonly<Record<string, Builtin | undefined>> = {
  *sleep(shell, args, io) {
    const [text = '0'] = args;
    const seconds = text === 'infinity' ? forever : Number.parseFloat(text);
    const unit = { m: 60, h: 3_600, d: 86_400 }[text.slice(-1)] ?? 1;
    yield* shell.sleep(Math.min(seconds * unit * 1_000, forever), io);
    return 0;
  },
  *tail(shell, args, io) {
    if (!args.some((each) => /^-\w*[fF]/.test(each))) return cat(shell, args, io);
    for (;;) yield* shell.sleep(forever, io);
  },
  *sh(shell, args, io) {
    return yield* shell.run(args[1] ?? '', io);
  },
  *timeout(shell, args, io) {
    return yield* shell.run(args.slice(1).map(quoted).join(' '), io);
  },
  *eval(shell, args, io) {
    return yield* shell.run(args.join(' '), io);
  },
  *exec(shell, args, io) {
    if (args.length === 0) return 0;
    throw new Exit(yield* shell.run(args.map(quoted).join(' '), io));
  },
  *wait(shell, _, io) {
    yield* shell.sleep(1_000, io);
    return 0;
  },
  exit: instant((shell, [code]) => {
    throw new Exit(code === undefined ? shell.status : Number(code) & 255);
  }),
  true: instant(() => 0),
  ':': instant(() => 0),
  false: instant(() => 1),
  set: instant(() => 0),
  sync: instant(() => 0),
  kill: instant(() => 0),
  chmod: instant(() => 0),
  mkdir: instant((shell, args) => {
    for (const path of args.filter((each) => !each.startsWith('-'))) shell.host.write(`${path}/`, '', 0o755);
    return 0;
  }),
  trap: instant((shell, [command = '', ...signals]) => {
    for (const name of signals) shell.traps.set(name.replace(/^SIG/, ''), command);
    return 0;
  }),
  echo: instant((_, args, io) => {
    const [first] = args;
    const isBare = first === '-n' || first === '-e' || first === '-ne';
    const text = (isBare ? args.slice(1) : args).join(' ');
    io.out(first === '-n' || first === '-ne' ? text : `${text}\n`);
    return 0;
  }),
  printf: instant((_, [format = '', ...args], io) => {
    const rest = [...args];
    io.out(unescaped(format).replace(/%[sd]/g, () => rest.shift() ?? ''));
    return 0;
  }),
  export: instant((shell, args) => {
    for (const each of args) {
      const [name = '', ...value] = each.split('=');
      if (value.length > 0) shell.variables.set(name, value.join('='));
      shell.exported.add(name);
    }
    return 0;
  }),
  env: instant((shell, _, io) => {
    for (const name of [...shell.exported].sort()) io.out(`${name}=${shell.variables.get(name) ?? ''}\n`);
    return 0;
  }),
  printenv: instant((shell, [name = ''], io) => {
    const value = shell.variables.get(name);
    if (value !== undefined) io.out(`${value}\n`);
    return value === undefined ? 1 : 0;
  }),
  *cat(shell, args, io) {
    if (args.length > 0) return cat(shell, args, io);
    io.out(io.input);
    for (let text = yield* chunkOf(io); text !== undefined; text = yield* chunkOf(io)) io.out(text);
    return 0;
  },
  *read(shell, [name = 'REPLY'], io) {
    const line = io.source === undefined ? io.input.split('\n')[0] : yield* io.source.line();
    shell.variables.set(name, line ?? '');
    return line === undefined ? 1 : 0;
  },
  touch: instant((shell, args, io) => {
    for (const path of args) {
      if (!shell.host.mayWrite(path)) {
        io.error(`touch: ${path}: Read-only file system\n`);
        return 1;
      }
      shell.host.write(path, shell.host.file(path)?.content ?? '');
    }
    return 0;
  }),
  rm: instant((shell, args) => {
    const paths = args.filter((each) => !each.startsWith('-'));
    for (const path of paths.flatMap((each) => [each, ...shell.host.files(`${each}/`)]))
      shell.host.write(path, undefined);
    return 0;
  }),
  mv: instant((shell, args) => {
    const [from = '', to = ''] = args.filter((each) => !each.startsWith('-'));
    const file = shell.host.file(from);
    if (file === undefined) return 1;
    const target = to.endsWith('/') ? to + from.slice(from.lastIndexOf('/') + 1) : to;
    shell.host.write(target, file.content, file.mode);
    shell.host.write(from, undefined);
    return 0;
  }),
  cp: instant((shell, [from = '', to = '']) => {
    const file = shell.host.file(from);
    if (file === undefined) return 1;
    shell.host.write(to, file.content, file.mode);
    return 0;
  }),
  tar: instant((shell, args, io) => {
    const paths = args.slice(2);
    if (!/^-?cf$/.test(args[0] ?? '') || args[1] !== '-') return 1;
    io.out(
      archive(
        paths.flatMap((path) => [path, ...shell.host.files(`${path}/`)]),
        (path) => shell.host.file(path),
      ),
    );
    return 0;
  }),
  ls: instant((shell, args, io) => {
    const [path = '.'] = args.filter((each) => !each.startsWith('-'));
    const prefix = path.endsWith('/') ? path : `${path}/`;
    if (shell.host.file(path) !== undefined) io.out(`${path}\n`);
    const names = shell.host.files(prefix).map((each) => each.slice(prefix.length).split('/')[0] ?? '');
    for (const name of new Set(names)) if (name !== '') io.out(`${name}\n`);
    return shell.host.file(path) === undefined && names.length === 0 ? 1 : 0;
  }),
  find: instant((shell, [path = '.'], io) => {
    for (const each of shell.host.files(path)) io.out(`${each}\n`);
    return 0;
  }),
  wc: instant((shell, args, io) => {
    const path = args.find((each) => !each.startsWith('-'));
    const content = path === undefined ? io.input : (shell.host.file(path)?.content ?? '');
    const count = args.includes('-c') ? content.length : content.split('\n').length - 1;
    io.out(path === undefined ? `${count}\n` : `${count} ${path}\n`);
    return 0;
  }),
  awk: instant((_, [program = ''], io) => {
    const column = Number(/print \$(\d+)/.exec(program)?.[1] ?? 0);
    for (const line of io.input.split('\n').filter((each) => each !== '')) {
      const fields = [line, ...line.trim().split(/\s+/)];
      io.out(`${fields[column] ?? ''}\n`);
    }
    return 0;
  }),
  grep: instant((shell, args, io) => {
    const [pattern = '', path] = args.filter((each) => !each.startsWith('-'));
    const content = path === undefined ? io.input : (shell.host.file(path)?.content ?? '');
    const isInverted = args.some((each) => /^-\w*v/.test(each));
    const expression = new RegExp(pattern);
    const found = content.split('\n').filter((line) => line !== '' && expression.test(line) !== isInverted);
    if (!args.some((each) => /^-\w*q/.test(each))) for (const line of found) io.out(`${line}\n`);
    return found.length > 0 ? 0 : 1;
  }),
  expr: instant((_, [left = '', operator = '', right = ''], io) => {
    const [a, b] = [Number(left), Number(right)];
    const result = { '+': a + b, '-': a - b, '*': a * b, '/': Math.trunc(a / b), '%': a % b }[operator] ?? a;
    io.out(`${result}\n`);
    return result === 0 ? 1 : 0;
  }),
  sort: instant((_, _args, io) => {
    const lines = io.input
      .split('\n')
      .filter((line) => line !== '')
      .sort();
    for (const line of lines) io.out(`${line}\n`);
    return 0;
  }),
  seq: instant((_, args, io) => {
    const [first, last] = args.length > 1 ? [Number(args[0]), Number(args[1])] : [1, Number(args[0])];
    for (let each = first; each <= last; each += 1) io.out(`${each}\n`);
    return 0;
  }),
  date: instant((shell, [format = ''], io) => {
    const now = shell.host.now();
    io.out(format === '+%s' ? `${Math.floor(now / 1_000)}\n` : `${new Date(now).toISOString()}\n`);
    return 0;
  }),
  hostname: instant((shell, _, io) => {
    io.out(`${shell.variables.get('HOSTNAME') ?? ''}\n`);
    return 0;
  }),
  id: instant(({ host }, args, io) => {
    const { user, group } = host;
    if (args.includes('-u')) io.out(`${user}\n`);
    else if (args.some((each) => /^-[gG]$/.test(each))) io.out(`${group}\n`);
    else io.out(`uid=${user} gid=${group} groups=${group}\n`);
    return 0;
  }),
  hexdump: instant(({ host }, args, io) => {
    const bytes = Buffer.from(host.file(args.at(-1) ?? '')?.content ?? '', 'latin1');
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
    for (let at = 0; at < hex.length; at += 16) {
      const [left, right] = [hex.slice(at, at + 8), hex.slice(at + 8, at + 16)];
      io.out(`${at.toString(16).padStart(8, '0')}  ${left.join(' ')}  ${right.join(' ')}\n`);
    }
    return 0;
  }),
  sysctl: instant(({ host }, [path = ''], io) => {
    const name = path.replaceAll('/', '.');
    io.out(`${name} = ${host.sysctl(name) ?? 0}\n`);
    return 0;
  }),
  ip: instant(({ host }, _, io) => {
    if (host.isPrivileged) return 0;
    io.error('ip: RTNETLINK answers: Operation not permitted\n');
    return 2;
  }),
  dd: instant((shell, args) => {
    const target = args.find((each) => each.startsWith('of='))?.slice(3);
    if (target !== undefined) shell.host.write(target, '0'.repeat(1_024));
    return 0;
  }),
  test: instant((shell, args) => Number(!isTrue(shell, args))),
  '[': instant((shell, args) => Number(!isTrue(shell, args.slice(0, -1)))),
  '[[': instant((shell, args) => Number(!isTrue(shell, args.slice(0, -1)))),
};

function* chunkOf({ source }: Streams): Generator<number, string | undefined> {
  return source === undefined ? undefined : yield* source.chunk();
}

function cat({ host }: Shell, args: readonly string[], io: Streams): number {
  if (args.length === 0) io.out(io.input);
  let code = 0;
  for (const path of args.filter((each) => !each.startsWith('-'))) {
    const file = host.file(path);
    if (file === undefined) {
      io.error(`cat: can't open '${path}': No such file or directory\n`);
      code = 1;
    } else io.out(file.content);
  }
  return code;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

/** Evaluates the arguments of `test`. */
function isTrue(shell: Shell, args: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = args;
  if (first === '!') return !isTrue(shell, args.slice(1));
  const { host } = shell;
  const isFolder = (path: string): boolean => host.files(path.endsWith('/') ? path : `${path}/`).length > 0;
  if (args.length === 1) return first !== '';
  if (args.length === 2) {
    switch (first) {
      case '-n':
        return second !== '';
      case '-z':
        return second === '';
      case '-f':
        return host.file(second) !== undefined;
      case '-d':
        return isFolder(second);
      case '-s':
        return (host.file(second)?.content ?? '') !== '';
      default:
        return host.file(second) !== undefined || isFolder(second);
    }
  }
  const [a, b] = [Number(first), Number(third)];
  switch (second) {
    case '!=':
      return first !== third;
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-gt':
      return a > b;
    case '-ge':
      return a >= b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    default:
      return first === third;
  }
}
