import { describe, expect, test } from 'vitest';
import { isGroup } from '../../src/kgen/common/names.ts';
import { comment } from '../../src/kgen/emit/text/docs.ts';
import { mayHaveAnchors } from '../../src/kgen/input/reading/aliases.ts';
import { splitDocuments } from '../../src/kgen/input/reading/split.ts';
import { yaml11Reading } from '../../src/kgen/input/reading/yaml11.ts';
import { showUrl } from '../../src/kgen/input/sources/url.ts';
import { pascal } from '../../src/kgen/model/names/casing.ts';
import { deprecation, statesImmutable } from '../../src/kgen/model/schema/facts.ts';
import { jsonFault } from '../../src/kgen/openapi/documents/json-fault.ts';
import { hideSecrets, plainText } from '../../src/runtime/auth/mask.ts';
import { parseServer } from '../../src/runtime/config/kubeconfig/server.ts';
import { parseResourceArgument } from '../../src/runtime/discovery/mapping/resource-argument.ts';
import { isPlain } from '../../src/runtime/discovery/reading/names.ts';
import { parsePointer } from '../../src/runtime/patch/pointer.ts';
import { momentOf } from '../../src/runtime/protobuf/values/time.ts';
import { isQuantity, nanosOf } from '../../src/runtime/protobuf/values/well-known.ts';
import { parseWarnings } from '../../src/runtime/rest/layers/warning-header.ts';
import { isExempt } from '../../src/runtime/rest/proxy/no-proxy.ts';
import { expandPath } from '../../src/runtime/rest/request/path.ts';
import { parseFieldSelector } from '../../src/runtime/selectors/parse-fields.ts';
import { parseLabelSelector } from '../../src/runtime/selectors/parse-labels.ts';
import { parseDuration } from '../../src/runtime/values/duration.ts';
import { parseQuantity } from '../../src/runtime/values/quantity.ts';
import { framingOf, styleOf } from '../../src/runtime/yaml/edit.ts';
import { needsQuotes, numberOf } from '../../src/runtime/yaml/scalars.ts';
import { hasFormat } from '../../src/schema/formats/formats.ts';
import { redact } from '../../src/testing/controlplane/logs.ts';
import { duplicateFields } from '../../src/testserver/decoding/strict.ts';

/**
 * Characters of an input. A quadratic reader takes minutes for it and so exceeds the time limit of its test.
 */
const size = Number(process.env['KGEN_INPUT_SIZE'] ?? 100_000);

/** `KGEN_PRINT=1` prints the time that each input takes. */
const isPrinted = process.env['KGEN_PRINT'] === '1';

type Reader = (text: string) => unknown;

/** Functions that read untrusted strings, with the parts whose repetition is most expensive for them. */
const readers: Readonly<Record<string, readonly [read: Reader, ...parts: string[]]>> = {
  'label selectors': [parseLabelSelector, ',', ',)', '(', 'a in (', 'a ', 'a=b,', 'a in (b),'],
  'field selectors': [parseFieldSelector, ',', '=', '\\', '!', 'a=b,', '\\,', 'a!'],
  quantities: [parseQuantity, '1', '0', '.', '1.', ' ', 'e'],
  'quantities in protobuf': [isQuantity, '1', '.', '1e'],
  durations: [parseDuration, '1', '1h', '.', '1.', 'h'],
  'durations in protobuf': [nanosOf, '1', '1h', '.', '1.', '1h.'],
  'times in protobuf': [momentOf, '1', '2020-01-01T00:00:00.', '2'],
  'warning headers': [parseWarnings, '299 - "a",', '299 - "', '\\', '"', ' ', '299 '],
  'standard error of plugins': [plainText, ' ', ' \n', '\r', '\u001b[', '\u001b]'],
  'secrets in texts of others': [
    (text) => hideSecrets(text, []),
    'pwd="',
    "secret: '",
    'token: ',
    '-----BEGIN A',
    '-----BEGIN -----',
    'bearer ',
    '://a',
    'eyJ',
    'a-',
    'Aa0 ',
    'Aa',
  ],
  'addresses of servers': [(text) => parseServer(`https://a/${text}b`), '/', 'a/', '.'],
  'paths of requests': [(text) => expandPath(`/${text}`), '{', '{a', '}', '/', '/.', '/apis/a/'],
  NO_PROXY: [(text) => isExempt(text, { hostname: 'a', port: 1 }), ',', 'a,', '1/', '[', 'a:', '.', ' '],
  'names in discovery': [isPlain, 'a', ' ', 'a.'],
  'arguments that name resources': [parseResourceArgument, 'a.', '.', 'a'],
  'JSON pointers': [parsePointer, '/', '~', '~0', '/a'],
  'scalars of YAML': [
    (text) => [needsQuotes(text), numberOf(text), yaml11Reading(text)],
    '1',
    '_',
    '1:',
    '0',
    '.',
    '1_',
    'e',
  ],
  'style of YAML': [
    (text) => [framingOf(text), styleOf(text)],
    ' ',
    '\n',
    'a: \n',
    'a:\n',
    '#\n',
    'a:',
    ' #\n',
    '- a:\n',
  ],
  'documents of YAML': [
    (text) => [splitDocuments(text), mayHaveAnchors(text)],
    '---\n',
    '\n',
    ' ',
    '-',
    '&',
    '{',
  ],
  'addresses of definitions': [showUrl, '/', '@', 'a:', '?', '#', 'https://a@'],
  descriptions: [
    (text) => [comment([text], [], ''), deprecation(text), statesImmutable(text)],
    ' ',
    '\n',
    '@',
    '```\n',
    '- ',
    'Deprecated',
    '. Deprecated: ',
    'immutable ',
    'is immutable. ',
    '\n ',
    '*/',
    '(',
    'a ',
    '1. ',
  ],
  'names of definitions': [(text) => [isGroup(text), pascal(text)], 'a', 'a.', '-', 'A', 'a-', 'Aa'],
  'broken JSON': [jsonFault, '[', '"', '\\', ' ', '1', '-', '{"a":', '"\\', '"a",'],
  'JSON with repeated members': [duplicateFields, '"', '\\', '{', '[', '"a":1,', '{"a":1,'],
  'logs of a control plane': [
    (text) => redact(text, []),
    'bearer ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    ' ',
  ],
  'formats of schemas': [
    (text) =>
      [
        'duration',
        'email',
        'hostname',
        'date-time',
        'uri',
        'byte',
        'ipv4',
        'cidr',
        'mac',
        'isbn',
        'creditcard',
      ].map((format) => hasFormat(format, text)),
    '1',
    '1 ',
    'a',
    'a.',
    '<',
    'a@',
    '-',
    ' ',
    '1h',
    ':',
  ],
};

describe('long inputs are processed in linear time', () => {
  test.each(Object.entries(readers))('%s', (name, [read, ...parts]) => {
    for (const part of parts) {
      for (const end of ['', '\0']) {
        const text = part.repeat(size / part.length) + end;
        const start = performance.now();
        // Many of the inputs are invalid, and an error is the result.
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(String(error).slice(-200)).not.toContain('Maximum call stack');
        }
        if (isPrinted)
          console.log(`${(performance.now() - start).toFixed(0)} ms: ${name} ${JSON.stringify(part + end)}`);
      }
    }
  });
});
