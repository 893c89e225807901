import { describe, expect, test } from 'vitest';
import { Input } from './input.ts';
import { Shell, type ShellHost } from './run.ts';

/** Runs a script. Returns its output, its exit code, and the milliseconds that it takes. */
function run(script: string, ...files: readonly (readonly [string, string])[]): readonly unknown[] {
  const written = new Map(files);
  let output = '';
  const out = (text: string): void => {
    output += text;
  };
  const host: ShellHost = {
    name: 'main',
    env: { NAME: 'web' },
    file: (path) => {
      const content = written.get(path);
      return content === undefined ? undefined : { content, mode: 0o644 };
    },
    files: (prefix) => [...written.keys()].filter((path) => path.startsWith(prefix)),
    write: (path, content) => {
      if (content === undefined) written.delete(path);
      else written.set(path, content);
    },
    now: () => 0,
    mayWrite: (path) => !path.startsWith('/fixed'),
    isPrivileged: false,
    sysctl: () => undefined,
    user: 7,
    group: 8,
    program: () => undefined,
  };
  const client = ['one\ntw', '', 'o\nrest'];
  const source = new Input(() => client.shift());
  const program = new Shell(host).main(script, { input: '', source, out, error: out });
  let ms = 0;
  for (let steps = 0; steps < 50; steps += 1) {
    const step = program.next();
    if (step.done === true) return [output, step.value, ms];
    ms += step.value;
  }
  return [output, 'runs', ms];
}

describe('the shell of the containers', () => {
  test.each<[script: string, output: string, code: number | string, ms?: number]>([
    ['echo hello $NAME', 'hello web\n', 0],
    ['echo \'$NAME\' "$NAME x"', '$NAME web x\n', 0],
    ['echo a > /f; echo b >> /f; cat /f', 'a\nb\n', 0],
    ['cat /none || echo missing', "cat: can't open '/none': No such file or directory\nmissing\n", 0],
    ['sleep 10 && exit 3', '', 3, 10_000],
    ['sleep 10 & exit 1', '', 1],
    ['if [ $NAME = web ]; then echo yes; else echo no; fi', 'yes\n', 0],
    ['test $(id -u) -eq 7', '', 0],
    ["count=$(echo x >> /f; wc -l /f | awk {'print $1'}); echo $count", '1\n', 0],
    ['for i in 1 2; do echo $((i + 1)); done', '2\n3\n', 0],
    ['f() { echo in $1; }; f', 'in\n', 0],
    ['NAME=db echo $NAME', 'web\n', 0],
    ['[[ "$NAME" == "web" ]] && echo OK', 'OK\n', 0],
    ['echo x > /fixed/f', "sh: can't create /fixed/f: Read-only file system\n", 1],
    ['unknown', 'sh: unknown: not found\n', 127],
    ['while true; do sleep 1; done', '', 'runs', 50_000],
    ['test -d /d/; echo $?', '1\n', 0],
    ['expr 7 % 4', '3\n', 0],
    ['read a; read b; echo $b $a; cat', 'two one\nrest', 0, 50],
    ['echo a | cat; read a; echo $a', 'a\none\n', 0],
    ["printf 'b 1\\na 2\\n' | sort | grep -E '(a|c) [0-9]'", 'a 2\n', 0],
    ['echo x > /f; tar cf - /f | wc -c', '2048\n', 0],
    ['echo a > /f; mv -v /f /d/; cat /d/f', 'a\n', 0],
  ])('%s', (script, output, code, ms = 0) => {
    expect(run(script)).toEqual([output, code, ms]);
  });
});
