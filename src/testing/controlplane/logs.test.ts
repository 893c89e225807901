import { expect, it } from 'vitest';
import { redact } from './logs.ts';

it.each([
  { given: 'nothing secret', want: 'nothing secret' },
  { given: 'user s3cret, again s3cret', want: 'user [redacted], again [redacted]' },
  { given: 'Authorization: Bearer abc.def-1=', want: 'Authorization: Bearer [redacted]' },
  {
    given: '-----BEGIN EC PRIVATE KEY-----\nMII\n-----END EC PRIVATE KEY-----\nmore',
    want: '-----BEGIN EC PRIVATE KEY-----[redacted]-----END EC PRIVATE KEY-----\nmore',
  },
  { given: '-----BEGIN PRIVATE KEY-----\nMII', want: '-----BEGIN PRIVATE KEY-----[redacted]' },
])('redact($given)', ({ given, want }) => {
  expect(redact(given, ['s3cret', ''])).toBe(want);
});
