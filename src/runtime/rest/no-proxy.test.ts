import { describe, expect, it } from 'vitest';
import { isExempt } from './no-proxy.ts';

describe('NO_PROXY', () => {
  const cases: readonly [entries: string, host: string, port: number, want: boolean][] = [
    ['', 'api.test', 443, false],
    ['*', 'api.test', 443, true],
    ['other, *', 'api.test', 443, true],
    ['api.test', 'api.test', 443, true],
    ['API.Test', 'api.test', 443, true],
    ['api.test', 'a.api.test', 443, true],
    ['api.test', 'xapi.test', 443, false],
    ['.api.test', 'a.api.test', 443, true],
    ['.api.test', 'api.test', 443, false],
    ['*.api.test', 'a.b.api.test', 443, true],
    ['*.api.test', 'api.test', 443, false],
    ['api.test:6443', 'api.test', 6443, true],
    ['api.test:6443', 'api.test', 443, false],
    ['.api.test:6443', 'a.api.test', 6443, true],
    [' one , api.test ,', 'api.test', 443, true],
    ['10.0.0.1', '10.0.0.1', 443, true],
    ['10.0.0.1', '10.0.0.11', 443, false],
    ['10.0.0.1:443', '10.0.0.1', 443, true],
    ['10.0.0.1:443', '10.0.0.1', 6443, false],
    ['0.0.1', '10.0.0.1', 443, true],
    ['10.0.0.0/8', '10.200.1.2', 443, true],
    ['10.0.0.0/8', '11.0.0.1', 443, false],
    ['10.0.0.0/8', 'api.test', 443, false],
    ['10.0.0.0/33', '10.0.0.1', 443, false],
    ['10.0.0.0/', '10.0.0.0', 443, false],
    ['2001:db8::/32', '[2001:db8::7]', 443, true],
    ['2001:db8::/32', '[2001:db9::7]', 443, false],
    ['2001:db8:0::7', '[2001:db8::7]', 443, true],
    ['[2001:db8::7]:6443', '[2001:db8::7]', 6443, true],
    ['[2001:db8::7]:6443', '[2001:db8::7]', 443, false],
    [':6443', 'api.test', 6443, false],
    ['::/0', '10.0.0.1', 443, false],
    ['a.*', 'a.test', 443, false],
    ['(', 'api.test', 443, false],
  ];
  it.each(cases)('%j and %s:%d: %s', (entries, hostname, port, want) => {
    expect(isExempt(entries, { hostname, port })).toBe(want);
  });
});
