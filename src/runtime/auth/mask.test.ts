import { describe, expect, it } from 'vitest';
import { hideSecrets, lastWords, secretsOf } from './mask.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJlIG9mIGphbmU';

describe('hideSecrets', () => {
  const hiddenCases: readonly (readonly [given: string, want: string])[] = [
    [`expired: ${jwt}`, 'expired: [hidden]'],
    ['Authorization: Bearer abc.def', 'Authorization: [hidden] [hidden]'],
    ['sent bearer abc!', 'sent bearer [hidden]'],
    ['password: hunter2', 'password: [hidden]'],
    ['{"client_secret":"a b"}', '{"client_secret":[hidden]}'],
    ["refresh_token='abc'", 'refresh_token=[hidden]'],
    ['token: abc123 was refused', 'token: [hidden] was refused'],
    ['GET https://jane:pw@login.test/x', 'GET https://[hidden]@login.test/x'],
    ['key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'key [hidden]'],
    ['id 0123456789abcdef0123456789abcdef', 'id [hidden]'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\nend', '[hidden]\nend'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHcC', '[hidden]'],
  ];
  it.each(hiddenCases)('%j', (given, want) => {
    expect(hideSecrets(given, [])).toBe(want);
  });

  it.each([
    'could not get token: oauth failed: Unauthorized',
    'Unable to locate credentials. You can configure credentials by running "aws configure".',
    'open /var/lib/jane/.config/gcloud/application_default_credentials.json: no such file or directory',
    'arn:aws:eks:eu-west-1:123456789012:cluster/shop is not there',
  ])('keeps the explanation in %j', (given) => {
    expect(hideSecrets(given, [])).toBe(given);
  });

  it('hides known secrets, the longest first', () => {
    const secrets = secretsOf({
      args: ['login', '--client-secret=open', '-p', 'sesame', '-wsimsim', '--profile', 'dev-profile'],
      env: [
        { name: 'A', value: 'open up' },
        { name: 'B', value: '1' },
      ],
      clusterConfig: { audience: ['shop-audience', 1] },
    });
    expect(secrets).toEqual([
      '--client-secret=open',
      'shop-audience',
      'dev-profile',
      '-wsimsim',
      'open up',
      'sesame',
      'login',
      'open',
    ]);
    expect(hideSecrets('open up: sesame is not open for dev-profile 1, --profile', secrets)).toBe(
      '[hidden]: [hidden] is not [hidden] for [hidden] 1, --profile',
    );
  });
});

describe('lastWords', () => {
  const cases: readonly (readonly [name: string, given: string, want: string])[] = [
    ['nothing', '', ''],
    ['white space', ' \n\n', ''],
    ['colours and control characters', '\u001b[31mred\u001b[0m\u0007\r\nnext', 'red\nnext'],
    ['a title', '\u001b]0;a title\u0007red', 'red'],
    ['a link', '\u001b]8;;https://a.b\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a title without an end', '\u001b]0;red', '0;red'],
    ['a title that begins in another one', '\u009d0;a\u009d0;b\u0007red', '0;ared'],
    ['control sequences of one character', '\u009b1;31mred\u009b0m \u009d0;a\u009cblue', 'red blue'],
    ['a character set and a saved cursor', '\u001b(Bred\u001b7', 'red'],
  ];
  it.each(cases)('%s', (_, given, want) => {
    expect(lastWords(Buffer.from(given), [])).toBe(want);
  });

  it('returns the last ten lines, at most 1000 characters', () => {
    const many = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n');
    expect(lastWords(Buffer.from(many), []).split('\n')).toHaveLength(10);
    expect(lastWords(Buffer.from(many), [])).toMatch(/line 29$/);
    const long = lastWords(Buffer.from(`${'no '.repeat(1000)}end`), []);
    expect(long).toHaveLength(1001);
    expect(long).toMatch(/^….*end$/);
  });
});
