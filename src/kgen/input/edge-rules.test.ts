import { describe, expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { aliasFault, maxExpandedDepth, maxExpandedNodes, mayHaveAnchors } from './reading/aliases.ts';
import { createRereader } from './reading/reread.ts';
import { lineAround } from './reading/source.ts';
import { splitDocuments } from './reading/split.ts';
import { createParser } from './reading/yaml.ts';
import { yaml11Reading } from './reading/yaml11.ts';
import { crdText, readText } from './reading.fixture.ts';
import { codeOf, fileFault, tooLarge } from './sources/files.ts';
import { loadYaml } from './sources/load-yaml.ts';
import { type FetchFunction, readUrl } from './sources/url.ts';

describe('the reading of YAML 1.1', () => {
  test.each([
    ...['y', 'n', 'yes', 'no', 'on', 'off', 'Y', 'N', 'Yes', 'No', 'On', 'Off', 'YES', 'NO', 'ON', 'OFF'].map(
      (word) => [word, 'a boolean'],
    ),
    ...['0644', '+07', '-01', '00'].map((word) => [word, 'an octal number']),
    ...['1_0', '9_', '-1_000', '+5_5'].map((word) => [word, 'a number']),
    ...['', 'yess', 'yEs', 'true', '0', '08', '0_1', '_1', '1', 'a1_0', ':1_0'].map((word) => [
      word,
      undefined,
    ]),
  ])('%j is %s', (plain, reading) => {
    expect(yaml11Reading(plain ?? '')).toBe(reading);
  });

  test('is noted for the document that has it, and not for the next', () => {
    const parse = createParser();
    const ambiguous = ['a: 1', 'a: on', 'a: 0644', 'a: off_', 'a: 2'].map((text) => {
      const parsed = parse(text);
      return parsed.ok && parsed.ambiguous;
    });
    expect(ambiguous).toEqual([false, true, true, false, false]);
  });
});

describe('aliases', () => {
  test.each([
    ['a: 1', false],
    ['a & b', false],
    ['a&b', false],
    ['a: & b', false],
    ['a: &b 1', true],
    ['[&b 1]', true],
    ['&b', true],
  ])('%j may have anchors: %s', (text, want) => {
    expect(mayHaveAnchors(text)).toBe(want);
  });

  test('a document may have as many nodes as the limit', () => {
    const leaves = (count: number): readonly number[] => Array<number>(count).fill(0);
    expect(aliasFault(leaves(maxExpandedNodes - 1))).toBeUndefined();
    expect(aliasFault(leaves(maxExpandedNodes))).toBe('too large');
  });

  test('a document may be as deep as the limit', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(aliasFault(nested(maxExpandedDepth))).toBeUndefined();
    expect(aliasFault(nested(maxExpandedDepth + 1))).toBe('too deep');
  });
});

describe('documents', () => {
  test('a list without items has none', () => {
    expect(readText('apiVersion: v1\nkind: List\n')).toEqual({ crds: [], skipped: 0, problems: [] });
  });

  test('words of YAML 1.1 in other objects are no problem', () => {
    expect(readText(`${crdText('Foo')}---\napiVersion: v1\nkind: Pod\nspec: on\n`).problems).toEqual([]);
  });

  test('a document that is too long to be read again has no warnings where no word is ambiguous', () => {
    const long = crdText('Foo', `{type: object, description: '${'['.repeat(100_001)}'}`);
    expect(readText(long).problems).toEqual([]);
    const ambiguous = crdText(
      'Foo',
      `{type: object, properties: {a: {type: string, default: on}}, description: '${'['.repeat(100_001)}'}`,
    );
    expect(readText(ambiguous).problems).toEqual([
      expect.stringMatching(/^in\.yaml:1:1: warning: unquoted words/),
    ]);
  });

  test.each([
    [
      'what a merged mapping has wrong is shown where it stands',
      'names: &names {kind: 5, plural: foos}\n',
      '{<<: *names}',
      'in.yaml:1:16',
    ],
    [
      'the first of several merged mappings counts',
      'one: &one {kind: 5}\ntwo: &two {kind: 6, plural: foos}\n',
      '{<<: [*one, *two]}',
      'in.yaml:1:12',
    ],
    [
      'a later of several merged mappings counts where the first has no such key',
      'one: &one {plural: foos}\ntwo: &two {kind: 6}\n',
      '{<<: [*one, *two]}',
      'in.yaml:2:12',
    ],
    [
      'a missing key is shown at its parent, not in other members of that',
      '',
      '{x: {kind: Foo}, plural: foos}',
      'in.yaml:8:3',
    ],
    ['a mapping that is merged in place', '', '{<<: {kind: 5, plural: foos}}', 'in.yaml:8:16'],
  ])('%s', (_, anchors, names, place) => {
    const text = `${anchors}${crdText('Foo').replace(/names:\n.*\n.*\n/, `names: ${names}\n`)}`;
    expect(readText(text).problems).toEqual([expect.stringContaining(`${place}: error: `)]);
  });

  test.each([
    ['a: {{ .Values.a }} b\n', 'in.yaml:1:4'],
    ['a: 1\nb: {{ .Values.a }} c\nd: 2\n', 'in.yaml:2:4'],
    ['a: 1\nb: x{{ .Values.a }}\n c: 2\n', 'in.yaml:2:5'],
    ['a: 1\n@{{ .Values.a }}: 2\n', 'in.yaml:2:2'],
  ])('the template %j is shown where its action stands', (text, place) => {
    expect(readText(text).problems).toEqual([expect.stringContaining(`${place}: error: this is a template`)]);
  });

  test.each<[part: string, text: string, problems: number]>([
    ['version', crdText('Foo').replace(/versions:[\s\S]*/, 'versions: [5]\n'), 1],
    ['printer column', `${crdText('Foo')}      additionalPrinterColumns: [5]\n`, 1],
  ])('a %s that is not an object is one problem', (_, text, count) => {
    expect(readText(text).problems).toHaveLength(count);
  });

  test('a version without a deprecation warning has no such member', () => {
    expect(readText(crdText('Foo')).crds[0]?.versions[0]).not.toHaveProperty('deprecationWarning');
  });

  test('the kind of lists is the stated one', () => {
    const text = crdText('Foo').replace('kind: Foo\n', 'kind: Foo\n    listKind: Foos\n');
    expect(readText(text).crds[0]?.names.listKind).toBe('Foos');
    expect(readText(crdText('Foo')).crds[0]?.names.listKind).toBe('FooList');
  });

  test('are read again for positions up to a number of nodes of one source', () => {
    const text = `#${','.repeat(98_000)}\na: 1\n`;
    const reread = createRereader({ file: 'in.yaml', text }, loadYaml);
    const places = Array.from({ length: 12 }, () => reread({ offset: 0, text }).position(['a']));
    expect(places.map(({ line }) => line)).toEqual([...new Array(10).fill(2), 1, 1]);
  });

  test('subresources without a scale have no such member', () => {
    const text = `${crdText('Foo')}      subresources: {status: {}}\n`;
    expect(readText(text).crds[0]?.versions[0]?.subresources).toStrictEqual({ status: true });
  });

  test.each([['? [x]\n: 1\n? [y]\n: 2\n'], ['<<: {x: 1}\n<<: {y: 1}\n']])(
    'only strings, numbers and the like are keys that occur twice: %j',
    (text) => {
      expect(readText(`${text}a: 1\na: 2\n`).problems).toEqual([
        expect.stringContaining('the key "a" occurs twice'),
      ]);
    },
  );

  test('only the first syntax error of a document is reported', () => {
    const lines = ['a', 'b', 'c', 'd', 'e'].map((key) => `${key}: @x\n`);
    expect(readText(lines.join('')).problems).toEqual([expect.stringMatching(/^in\.yaml:1:4: /)]);
  });

  test.each([
    ['a: @x\n', 'put the string in quotes'],
    ['a: *\n', 'define the anchor before its alias'],
    ['a: "\\q"\n', 'double the backslash or use single quotes'],
    ['a\nb: c\n', 'look for a missing colon or an unclosed quote'],
  ])('the broken text %j comes with the advice: %s', (text, advice) => {
    expect(readText(text).problems[0]).toMatch(new RegExp(`; ${advice}$`));
  });

  test('directives that a document end follows are a document', () => {
    const chunks = splitDocuments('%YAML 1.2\n...\na: 1\n');
    expect(chunks.map(({ text }) => text)).toEqual(['%YAML 1.2\n', 'a: 1\n']);
  });

  test.each([
    ['ab\ncd', 0, 'ab'],
    ['ab\ncd', 3, 'cd'],
    ['a\nb', 0, 'a'],
    ['a\nb', 2, 'b'],
    ['abc', 1, 'abc'],
  ])('the line of %j at %d is %j', (text, offset, line) => {
    expect(lineAround(text, offset)).toBe(line);
  });
});

describe('downloads', () => {
  const limits = { maxBytes: 100, maxRedirects: 5, timeoutMs: 10_000 };
  const read = async (response: Response): Promise<string> => {
    const fetch: FetchFunction = async () => response;
    const { value, problems } = await readUrl('https://h/x', fetch, limits);
    return value === undefined ? problems.map(formatProblem).join() : Buffer.from(value.bytes).toString();
  };
  const headers = { location: '/other' };

  test('may have as many bytes as the limit', async () => {
    expect(await read(new Response('x'.repeat(100)))).toBe('x'.repeat(100));
    expect(await read(new Response('x'.repeat(101)))).toContain('more than 100 bytes');
  });

  test('may have more than a kibibyte by default', async () => {
    const { value, problems } = await readUrl('https://h/x', async () => new Response('x'.repeat(2000)));
    expect([value?.bytes.length, problems]).toEqual([2000, []]);
  });

  test.each([
    [5, 'a: 1'],
    [6, 'more than 5 redirects'],
  ])('with %d redirects', async (count, want) => {
    let redirects = 0;
    const fetch: FetchFunction = async () => {
      redirects += 1;
      return redirects <= count ? new Response(null, { status: 302, headers }) : new Response('a: 1');
    };
    const { value, problems } = await readUrl('https://h/x', fetch, limits);
    expect(`${Buffer.from(value?.bytes ?? [])}${problems.map(formatProblem)}`).toContain(want);
  });

  test('that fail name the reason of the first of several attempts', async () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const cause = Object.assign(new AggregateError([refused, new Error('y')]), { code: 'EOTHER' });
    const fetch: FetchFunction = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const { problems } = await readUrl('https://h/x', fetch, limits);
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining('(ECONNREFUSED)')]);
  });

  test('follow the location of redirects only', async () => {
    expect(await read(new Response('a: 1', { status: 201, headers }))).toBe('a: 1');
    expect(await read(new Response('', { status: 404, headers }))).toContain('404');
    expect(await read(new Response('', { status: 300 }))).toContain('300');
  });
});

describe('files that cannot be read', () => {
  test.each([
    ['ENOENT', 'file or folder not found: check the path'],
    ['ENOTDIR', 'file not found: a part of its path is a file, not a folder'],
    ['EACCES', 'permission to read it is denied: change its mode or run kgen as its owner'],
    ['EPERM', 'permission to read it is denied: change its mode or run kgen as its owner'],
    ['EISDIR', 'this is a folder and not a file: give a file'],
    ['ELOOP', 'symbolic links lead in a circle here: repair them'],
    ['EMFILE', 'too many files are open: raise the limit of open files'],
    ['ENAMETOOLONG', 'the path is too long: check it'],
    ['EIO', 'the file cannot be read (EIO): check the path and the disk'],
  ])('%s', (code, sentence) => {
    expect(fileFault(code)).toBe(sentence);
  });

  test.each([
    [Object.assign(new Error('x'), { code: 'EIO' }), 'EIO'],
    [Object.assign(new Error('x'), { code: 5 }), 'Error: x'],
    [new Error('x'), 'Error: x'],
    ['x', 'x'],
    [undefined, 'undefined'],
  ])('the code of %s is %s', (cause, code) => {
    expect(codeOf(cause)).toBe(code);
  });

  test('the limit of their size is in whole MiB', () => {
    expect(tooLarge).toBe('the file has more than 64 MiB: split it');
  });
});
