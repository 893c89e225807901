import { describe, expect, it } from 'vitest';
import type { ExecConfig } from '../../config/types.ts';
import { checkExec, isInteractive } from './check.ts';

const exec: ExecConfig = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'login',
  interactiveMode: 'Never',
};

describe('checkExec', () => {
  it.each<Partial<ExecConfig>>([
    {},
    { apiVersion: 'client.authentication.k8s.io/v1beta1' },
    { env: [{ name: 'A', value: '' }], args: ['--x'], timeoutMs: 1 },
  ])('accepts %j', (given) => {
    expect(() => checkExec({ ...exec, ...given })).not.toThrow();
  });

  it('requires no interactiveMode for v1beta1', () => {
    expect(() =>
      checkExec({ apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'login' }),
    ).not.toThrow();
  });

  const problems: readonly (readonly [given: object, want: string])[] = [
    [{ command: '' }, 'has no valid command'],
    [{ command: 'a\0b' }, 'has no valid command'],
    [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, 'has an unsupported apiVersion'],
    [{ interactiveMode: undefined }, 'needs an interactiveMode'],
    [{ interactiveMode: 'Sometimes' }, 'has an unsupported interactiveMode; it must be one of'],
    [{ env: [{ name: '', value: 'sesame' }] }, 'has a variable with an invalid name in env'],
    [{ env: [{ name: 'A=B', value: 'sesame' }] }, 'has a variable with an invalid name in env'],
    [{ env: [{ name: 'A', value: 'ses\0ame' }] }, 'has a NUL character in args or env'],
    [{ args: ['ses\0ame'] }, 'has a NUL character in args or env'],
    [{ timeoutMs: 0 }, 'has an invalid timeoutMs; it must be > 0'],
    [{ timeoutMs: Number.NaN }, 'has an invalid timeoutMs; it must be > 0'],
  ];
  it.each(problems)('throws for %j', (given, want) => {
    // Configurations that the types do not allow, as plain JavaScript may pass them.
    const wrong = { ...exec, ...given } as ExecConfig;
    expect(() => checkExec(wrong)).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(want) }),
    );
    expect(() => checkExec(wrong)).not.toThrow(/sesame|ses\0ame/);
  });
});

describe('isInteractive', () => {
  const cases: readonly (readonly [
    mode: ExecConfig['interactiveMode'],
    stdinUnavailable: boolean,
    terminal: boolean,
    want: boolean | RegExp,
  ])[] = [
    ['Never', false, true, false],
    ['IfAvailable', false, true, true],
    ['IfAvailable', false, false, false],
    ['IfAvailable', true, true, false],
    [undefined, false, true, true],
    [undefined, false, false, false],
    ['Always', false, true, true],
    ['Always', false, false, /requires standard input .*standard input is not a terminal/],
    ['Always', true, true, /requires standard input .*standard input is used otherwise/],
  ];
  it.each(cases)(
    '%s, standard input unavailable: %j, terminal: %j',
    (mode, stdinUnavailable, terminal, want) => {
      const { interactiveMode: _, ...rest } = exec;
      const given = { ...rest, stdinUnavailable, ...(mode !== undefined && { interactiveMode: mode }) };
      const request = (): boolean => isInteractive(given, { isTerminal: (fd) => fd === 0 && terminal });
      if (want instanceof RegExp) expect(request).toThrow(want);
      else expect(request()).toBe(want);
    },
  );
});
