import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { SecretValues } from './secret-values.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function secretOf(values: Record<string, string>, version = '1') {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)]));
  return { kind: 'Secret', metadata: { name: 'db', uid: 'u1', resourceVersion: version }, data };
}

/** Returns values of which a Secret with these strings was read. */
function known(...values: readonly string[]): SecretValues {
  const secrets = new SecretValues();
  secrets.see(secretOf(Object.fromEntries(values.map((value, index) => [`k${index}`, value]))));
  return secrets;
}

describe('a text', () => {
  it.each([
    ['the value', ['hunter22!'], 'value is hunter22!', 'value is (redacted)'],
    ['several places', ['hunter22!'], 'hunter22! hunter22!', '(redacted) (redacted)'],
    ['no value', ['hunter22!'], 'hunter2 hunter22', 'hunter2 hunter22'],
    ['a short value', ['12345'], 'the port is 12345', 'the port is 12345'],
    ['a value of 6 characters', ['123456'], 'the code is 123456', 'the code is (redacted)'],
    ['the value in base64', ['hunter22!'], `data: ${base64('hunter22!')}`, 'data: (redacted)'],
    ['the value in base64 without padding', ['hunter22!x'], `aHVudGVyMjIheA;`, '(redacted);'],
    [
      'the value in a URL',
      ['p@ss/word 1'],
      'postgres://u:p%40ss%2Fword%201@db',
      'postgres://u:(redacted)@db',
    ],
    ['the value in JSON', ['a"quoted"\nvalue'], '{"v":"a\\"quoted\\"\\nvalue"}', '{"v":"(redacted)"}'],
    [
      'the value in JSON within JSON',
      ['a"quoted" value'],
      JSON.stringify(JSON.stringify('a"quoted" value')),
      '"\\"(redacted)\\""',
    ],
    ['several lines', ['first line\nsecond line'], 'is first line\nsecond line.', 'is (redacted).'],
    ['one of several lines', ['first line\nsecond line'], 'failed at second line', 'failed at (redacted)'],
    ['a value without its last newline', ['hunter22!\n'], 'value is hunter22!.', 'value is (redacted).'],
    [
      'a string within a value in JSON',
      ['{"auths":{"r":{"password":"hunter22!"}}}'],
      'login failed for hunter22!',
      'login failed for (redacted)',
    ],
    ['values that overlap', ['abcdef12', 'f12ghijk'], '<abcdef12ghijk>', '<(redacted)>'],
    ['values that are adjacent', ['abcdef12', 'ghijkl34'], 'abcdef12ghijkl34', '(redacted)'],
    ['a value within another one', ['secret-1', 'my-secret-1-long'], 'x my-secret-1-long', 'x (redacted)'],
    ['the longer of two values', ['secret-1', 'secret-1234'], 'secret-1234', '(redacted)'],
    ['a word as a whole word', ['production'], 'in production: failed', 'in (redacted): failed'],
    ['a word within others', ['deploy'], 'the deployment was redeployed', 'the deployment was redeployed'],
    ['the mask itself', ['redacted', '(redacted)'], 'value is (redacted)', 'value is (redacted)'],
    ['characters outside of the basic plane', ['pässwörd-😀😀'], 'is pässwörd-😀😀', 'is (redacted)'],
  ])('with %s', (_, values, text, want) => {
    const secrets = known(...values);
    expect(secrets.mask(text)).toBe(want);
    expect(secrets.mask(want)).toBe(want);
  });

  it('is found as by replacing each value, for random values and texts', () => {
    const random = mulberry32(11);
    const pick = (length: number): string =>
      Array.from({ length }, () => 'ab1-'.charAt(Math.floor(random() * 4))).join('');
    for (let round = 0; round < 300; round += 1) {
      const values = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${pick(6)}1`);
      const text = pick(60) + (values[0] ?? '') + pick(20);
      const hidden = new Set<number>();
      for (const value of values)
        for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
          for (let index = at; index < at + value.length; index += 1) hidden.add(index);
      const want = [...text].map((character, index) => (hidden.has(index) ? '\0' : character)).join('');
      expect(known(...values).mask(text)).toBe(want.replaceAll(/\0+/g, '(redacted)'));
    }
  });
});

describe('values are known', () => {
  it.each<readonly [string, (secrets: SecretValues) => void]>([
    ['of a Secret', (secrets) => secrets.see(secretOf({ a: 'hunter22!' }))],
    ['of stringData of a write', (secrets) => secrets.wrote({ stringData: { a: 'hunter22!' } })],
    ['of a merge patch', (secrets) => secrets.wrote({ data: { a: base64('hunter22!'), b: null } })],
    [
      'of an operation for one key',
      (secrets) => secrets.wrote([{ op: 'add', path: '/stringData/a', value: 'hunter22!' }]),
    ],
    [
      'of an operation for data',
      (secrets) => secrets.wrote([{ op: 'replace', path: '/data', value: { a: base64('hunter22!') } }]),
    ],
    [
      'of an operation for the whole Secret',
      (secrets) => secrets.wrote([{ op: 'replace', path: '', value: secretOf({ a: 'hunter22!' }) }]),
    ],
  ])('%s', (_, read) => {
    const secrets = new SecretValues();
    read(secrets);
    expect(secrets.mask('value is hunter22!')).toBe('value is (redacted)');
  });

  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    [null],
    { data: 7 },
    { data: [1] },
    { items: 7 },
    { data: { a: 7 } },
  ])('of nothing else: %j', (value) => {
    const secrets = new SecretValues();
    secrets.see(value);
    secrets.wrote(value);
    expect(secrets.size).toBe(0);
  });

  it('in base64 only, if they are not text', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x80, 1, 2, 3, 4, 5]).toString('base64');
    const secrets = new SecretValues();
    secrets.see({ metadata: {}, data: { a: bytes } });
    expect(secrets.mask(`data ${bytes}`)).toBe('data (redacted)');
  });

  it('after a change, and before it', () => {
    const secrets = new SecretValues();
    secrets.see(secretOf({ a: 'old-value-1' }, '1'));
    secrets.see(secretOf({ a: 'new-value-2' }, '2'));
    expect(secrets.mask('old-value-1, new-value-2')).toBe('(redacted), (redacted)');
  });

  it('of a version that was read without data before', () => {
    const secrets = new SecretValues();
    secrets.see({ metadata: { uid: 'u1', resourceVersion: '1' } });
    secrets.see(secretOf({ a: 'hunter22!' }, '1'));
    expect(secrets.mask('hunter22!')).toBe('(redacted)');
  });

  it('of a write that has the version of the Secret before it', () => {
    const secrets = new SecretValues();
    secrets.see(secretOf({ a: 'old-value-1' }, '1'));
    secrets.wrote(secretOf({ a: 'new-value-2' }, '1'));
    expect(secrets.mask('new-value-2')).toBe('(redacted)');
  });
});

describe('limits', () => {
  const value = (index: number): string => `value-${String(index).padStart(6, '0')}`;

  it('drop the oldest values, which a read adds again', () => {
    // Each value has two forms: its text, and base64 without padding.
    const secrets = new SecretValues({ forms: 200 });
    for (let index = 0; index <= 100; index += 1)
      secrets.see({
        metadata: { uid: `u${index}`, resourceVersion: '1' },
        data: { a: base64(value(index)) },
      });
    expect(secrets.size).toBe(90);
    expect(secrets.mask(`${value(0)} ${value(100)}`)).toBe(`${value(0)} (redacted)`);
    secrets.see({ metadata: { uid: 'u0', resourceVersion: '1' }, data: { a: base64(value(0)) } });
    expect(secrets.mask(value(0))).toBe('(redacted)');
  });

  it('keep thousands of keys, each of which is masked, and compute the forms of a version once', () => {
    const secrets = new SecretValues();
    const random = mulberry32(3);
    const keyOf = (): string => {
      const lines = Array.from({ length: 26 }, () =>
        Array.from({ length: 8 }, () => random().toString(36).slice(2, 10)).join(''),
      );
      return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
    };
    const keys = Array.from({ length: 5000 }, keyOf);
    for (const [index, key] of keys.entries())
      secrets.see({ metadata: { uid: `u${index}`, resourceVersion: '1' }, data: { key: base64(key) } });
    expect(secrets.size).toBe(keys.length);
    for (const key of [keys[0], keys[2500], keys.at(-1)])
      for (const form of [key ?? '', base64(key ?? ''), JSON.stringify(key), (key ?? '').trim()])
        expect(secrets.mask(`is ${form}.`)).toMatch(/^is "?\(redacted\)"?\.?$/);
  });

  it('free what they drop', () => {
    const secrets = new SecretValues({ forms: 30 });
    const shared = `${'shared'.repeat(20)}`;
    for (let index = 0; index < 1000; index += 1)
      secrets.wrote({ stringData: { a: `${shared}${value(index)}`, b: value(index) } });
    expect(secrets.size).toBeLessThan(20);
    expect(secrets.mask(`${value(0)} ${value(999)} ${shared}${value(0)}`)).toBe(
      `${value(0)} (redacted) (redacted)`,
    );
  });

  it('hold for the length of a value, whose beginning is masked', () => {
    const secrets = new SecretValues();
    secrets.wrote({ stringData: { a: 'y'.repeat(1_000_000) } });
    expect(secrets.mask(`is ${'y'.repeat(4096)}`)).toBe('is (redacted)');
  });
});

it('objects keep their names, kinds and words', () => {
  const secrets = known('hunter22!', 'postgres');
  const object = {
    kind: 'hunter22!',
    metadata: { name: 'hunter22!', namespace: 'hunter22!', labels: { app: 'postgres' } },
    spec: { env: [{ name: 'PASSWORD', value: 'hunter22!' }], url: 'db://u:hunter22!@db', count: 3 },
  };
  expect(secrets.maskObject(object)).toEqual({
    ...object,
    spec: { env: [{ name: 'PASSWORD', value: '(redacted)' }], url: 'db://u:(redacted)@db', count: 3 },
  });
});
