import { describe, expect, it } from 'vitest';
import { type Found, findProgram, kindOf, type PathKind } from './program.ts';

type Files = Readonly<Record<string, PathKind>>;

interface Case {
  readonly name: string;
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files: Files;
  readonly platform?: NodeJS.Platform;
  readonly want: Found;
}

const cases: readonly Case[] = [
  {
    name: 'returns the program of the first folder of PATH that contains it',
    command: 'login',
    env: { PATH: '/a:/b:/c' },
    files: { '/b/login': 'program', '/c/login': 'program' },
    want: { path: '/b/login' },
  },
  {
    name: 'skips a file that is not executable',
    command: 'login',
    env: { PATH: '/a:/b' },
    files: { '/a/login': 'file', '/b/login': 'program' },
    want: { path: '/b/login' },
  },
  {
    name: 'reports a file that is not executable',
    command: 'login',
    env: { PATH: '/a:/b' },
    files: { '/b/login': 'file' },
    want: { problem: 'denied', at: '/b/login' },
  },
  {
    name: 'skips the current folder',
    command: 'login',
    env: { PATH: ':.:bin:' },
    files: {
      login: 'program',
      'bin/login': 'program',
      [`${process.cwd()}/login`]: 'program',
      [`${process.cwd()}/bin/login`]: 'program',
    },
    want: { problem: 'missing' },
  },
  {
    name: 'reports a missing program without PATH',
    command: 'login',
    files: {},
    want: { problem: 'missing' },
  },
  {
    name: 'returns an absolute path',
    command: '/opt/login',
    env: { PATH: '/a' },
    files: { '/opt/login': 'program', '/a/opt/login': 'program' },
    want: { path: '/opt/login' },
  },
  {
    name: 'resolves a relative path',
    command: './bin/login',
    env: { PATH: '/a' },
    files: { [`${process.cwd()}/bin/login`]: 'program' },
    want: { path: `${process.cwd()}/bin/login` },
  },
  {
    name: 'Windows: tries the extensions of PATHEXT',
    command: 'login',
    env: { Path: '"C:\\a";C:\\b', PATHEXT: '.COM;.EXE' },
    files: { 'C:\\a\\login': 'program', 'C:\\b\\login.EXE': 'program' },
    platform: 'win32',
    want: { path: 'C:\\b\\login.EXE' },
  },
  {
    name: 'Windows: keeps an extension of the command',
    command: 'login.exe',
    env: { Path: 'C:\\a' },
    files: { 'C:\\a\\login.exe': 'program' },
    platform: 'win32',
    want: { path: 'C:\\a\\login.exe' },
  },
  {
    name: 'Windows: reports a batch file',
    command: 'login',
    env: { Path: 'C:\\a' },
    files: { 'C:\\a\\login.CMD': 'program' },
    platform: 'win32',
    want: { problem: 'batch', at: 'C:\\a\\login.CMD' },
  },
];

describe('findProgram', () => {
  it.each(cases)('$name', async ({ command, env = {}, files, platform = 'linux', want }) => {
    const kind = (path: string): Promise<PathKind> => Promise.resolve(files[path] ?? 'nothing');
    expect(await findProgram(command, { env, platform }, kind)).toEqual(want);
  });
});

describe('kindOf', () => {
  const cases: readonly (readonly [path: string, want: PathKind])[] = [
    [process.execPath, 'program'],
    [import.meta.dirname, 'nothing'],
    [`${import.meta.dirname}/not-there`, 'nothing'],
  ];
  it.each(cases)('%s', async (path, want) => {
    expect(await kindOf(path)).toBe(want);
  });
});
