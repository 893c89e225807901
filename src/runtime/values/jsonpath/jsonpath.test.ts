import { describe, expect, it } from 'vitest';
import { decodeJson } from '../../codec/json.ts';
import { parseJsonPath } from './jsonpath.ts';

/** The example of Kubernetes' documentation. */
const nodes = {
  kind: 'List',
  items: [
    {
      kind: 'None',
      metadata: { name: '127.0.0.1', labels: { 'kubernetes.io/hostname': '127.0.0.1' } },
      status: {
        capacity: { cpu: '4' },
        ready: true,
        addresses: [{ type: 'LegacyHostIP', address: '127.0.0.1' }],
      },
    },
    {
      kind: 'None',
      metadata: { name: '127.0.0.2' },
      status: {
        capacity: { cpu: '8' },
        ready: false,
        addresses: [
          { type: 'LegacyHostIP', address: '127.0.0.2' },
          { type: 'another', address: '127.0.0.3' },
        ],
      },
    },
  ],
  users: [
    { name: 'myself', user: {} },
    { name: 'e2e', user: { username: 'admin', password: 'secret' } },
  ],
};

const values = {
  bools: [true, false, true, false],
  integers: [1, 2, 3, 4],
  floats: [1, 2.2, 3.3, 4],
  strings: ['one', 'two', 'three', 'four'],
  mixed: [true, 'one', 1, 1.1],
  maps: [
    { name: 'one', value: 1 },
    { name: 'two', value: 2.02 },
    { name: 'three', value: 3.03 },
  ],
  labels: { 'web/html': 15, 'k8s-app': 20, __proto__x: 1 },
  empty: [],
  none: null,
  html: { b: '<a&b>', a: '"' },
};

describe('the output of a JSONPath template', () => {
  it.each<[template: string, text: string]>([
    // Kubernetes' documentation
    ['kind is {.kind}', 'kind is List'],
    ["{['kind']}", 'List'],
    ["{['kind']} {$.kind} {@.kind}", 'List List List'],
    ['{..name}', '127.0.0.1 127.0.0.2 myself e2e'],
    ['{.items[*].metadata.name}', '127.0.0.1 127.0.0.2'],
    ['{.users[0].name}', 'myself'],
    ['{.items[0].metadata.labels.kubernetes\\.io/hostname}', '127.0.0.1'],
    ["{.items[0].metadata.labels['kubernetes\\.io/hostname']}", '127.0.0.1'],
    ["{.items[*]['metadata.name', 'status.capacity']}", '127.0.0.1 127.0.0.2 {"cpu":"4"} {"cpu":"8"}'],
    ['{.users[?(@.name=="e2e")].user.password}', 'secret'],
    [
      '{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}',
      '[127.0.0.1, {"cpu":"4"}] [127.0.0.2, {"cpu":"8"}] ',
    ],
    ["{range .items[*]}{.metadata.name}{'\\t'}{end}", '127.0.0.1\t127.0.0.2\t'],
    // loops
    ['{range .items[*]}{.metadata.name}, {end}{.kind}', '127.0.0.1, 127.0.0.2, List'],
    [
      '{range .items[*]}{range .status.addresses[*]}{.address}, {end}{"+"}{end}',
      '127.0.0.1, +127.0.0.2, 127.0.0.3, +',
    ],
    ['{range .missing[*]}{.a}{end}after', 'after'],
    ['{range .users[*]}{.name};', 'myself;e2e;'],
    ['{range .users[*]}{end}', ''],
    // filters
    ['{.items[?(@..ready==true)].metadata.name}', '127.0.0.1'],
    ['{.items[?(@.metadata.labels)].metadata.name}', '127.0.0.1'],
    ['{.items[?(.status.ready != true)].metadata.name}', '127.0.0.2'],
    ["{.items[?(@.metadata.labels.kubernetes\\.io/hostname=='127.0.0.1')].kind}", 'None'],
    ['{.items[?(@.status.addresses[?(@.type=="another")])].metadata.name}', '127.0.0.2'],
    ['{.users[?(@.name>="myself")].name}', 'myself'],
    ['{.users[?(@.user.username==@.user.username)].name}', 'e2e'],
    ['{.users[?(@.name=="(]}")].name}', ''],
    // the whole object, text only, empty results
    ['{.users[0]}', '{"name":"myself","user":{}}'],
    ['{.users[0].user}{.}', `{}${JSON.stringify(sorted(nodes))}`],
    ['no expression', 'no expression'],
    ['', ''],
    ['before-{.hello}after', 'before-after'],
    ['{.items[*].hello}', ''],
    ['{.kind.hello}', ''],
    ['{"{"}{.kind}{"}\\n"}', '{List}\n'],
    ['{.kind "x"}', 'x'],
  ])('%s', (template, text) => {
    expect(parseJsonPath(template).getText(nodes)).toBe(text);
  });

  it.each<[template: string, text: string]>([
    ['{ .bools }', '[true,false,true,false]'],
    ['{ .bools[0] }', 'true'],
    ['{ .bools[-1] }', 'false'],
    ['{ .bools[:4:2] }', 'true true'],
    ['{.integers[0:2]}', '1 2'],
    ['{.integers[:-1]}', '1 2 3'],
    ['{.integers[-2:]}', '3 4'],
    ['{.integers[1::2]}', '2 4'],
    ['{.integers[0:4:3]}', '1 4'],
    ['{.integers[0:0]}', ''],
    ['{.integers[5:5]}', ''],
    ['{.integers[1,3]}', '2 4'],
    ['{.integers[?(@<3)]}', '1 2'],
    ['{.integers[?(@ > 3)]}', '4'],
    ['{.integers[?(@<=2)]}', '1 2'],
    ['{.floats}', '[1,2.2,3.3,4]'],
    ['{.floats[?(@==3.3)]}', '3.3'],
    ['{.strings}', '["one","two","three","four"]'],
    ['{.strings[-4]}', 'one'],
    ['{.mixed[*]}', 'true one 1 1.1'],
    ['{.maps[::2]}', '{"name":"one","value":1} {"name":"three","value":3.03}'],
    ['{.maps[?(@.value>2)].name}', 'two three'],
    ['{..value}', '1 2.02 3.03'],
    ['{...value}', '1 2.02 3.03'],
    ["{..['name']}", 'one two three'],
    ['{.maps[0].*}', 'one 1'],
    ['{$.labels.web/html}', '15'],
    ['{.labels.k8s-app}', '20'],
    ['{.empty[*]}', ''],
    ['{.none}', '<nil>'],
    ['{.none.a}{.none[*]}', ''],
    ['{.constructor}{.__proto__}', ''],
    ['{.html}', '{"a":"\\"","b":"\\u003ca\\u0026b\\u003e"}'],
    ['{5}{true}{-1.5}', '5true-1.5'],
  ])('of values: %s', (template, text) => {
    expect(parseJsonPath(template).getText(values)).toBe(text);
  });

  it.each<[unknown, string]>([
    [1e6, '1000000'],
    [1e21, '1e+21'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [-0.00001, '-1e-05'],
    ['\\u2028', '\\u2028'],
  ])('prints %j as %s', (value, text) => {
    expect(parseJsonPath('{.value}').getText({ value })).toBe(text);
  });

  it('has the digits of integers beyond 2^53', () => {
    const json = '{"a":9007199254740993,"b":{"c":[9007199254740995]}}';
    // seam: the value of the JSON
    const object = decodeJson(Buffer.from(json), { verb: 'get', resource: 'any' }) as object;
    expect(parseJsonPath('{.a} {.b}').getText(object)).toBe('9007199254740993 {"c":[9007199254740995]}');
    expect(parseJsonPath('{.b.c[?(@>9007199254740994)]}').getText(object)).toBe('9007199254740995');
    expect(parseJsonPath('{.a} {.b.c[0]}').getValues(object)).toEqual([9007199254740993n, 9007199254740995n]);
  });

  it('is that of each object to which a parsed template is applied', () => {
    const name = parseJsonPath('{.name}');
    expect(nodes.users.map((user) => name.getText(user))).toEqual(['myself', 'e2e']);
  });
});

/** As Go writes maps. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}

describe('the values of a JSONPath template', () => {
  it.each<[template: string, want: readonly unknown[]]>([
    ['{.items[*].metadata.name}', ['127.0.0.1', '127.0.0.2']],
    ['{range .items[*]}{.metadata.name}{"\\n"}{.status.ready}{end}', ['127.0.0.1', true, '127.0.0.2', false]],
    ['text {.users[0].user}', [{}]],
    ['{.missing}', []],
  ])('%s', (template, want) => {
    expect(parseJsonPath(template).getValues(nodes)).toEqual(want);
  });
});

describe('a JSONPath template', () => {
  it.each<[template: string, message: string]>([
    ['{.a', 'column 1: { is not closed'],
    ['text {.a', 'column 6: { is not closed'],
    ['{.a\n}', 'column 1: { is not closed'],
    ['{hello}', 'column 2: hello is not true, false, range or end; a field begins with a dot'],
    ['{end}', 'column 1: {end} without {range}'],
    ['{range .a[*]}{end}{end}', 'column 19: {end} without {range}'],
    ['{range .a}{end .b}', 'column 11: {end} must not contain a path'],
    ['{.a[}', 'column 5: expected an index, a slice, * or a quoted field'],
    ['{.a[0}', 'column 6: unexpected "}"'],
    ['{.a[0', 'column 4: [ is not closed'],
    ['{.a[x]}', 'column 5: expected an index'],
    ['{.a[]}', 'column 5: expected an index'],
    ['{.a[1:2:3:4]}', 'column 5: expected an index'],
    ['{.a[0:6:0]}', 'the step must be >= 1'],
    ['{.a[0:6:-1]}', 'the step must be >= 1'],
    ['{.a[?(@.b=="c"]}', 'column 15: unexpected "]"'],
    ['{.a[?(@.b=="c")}', 'column 16: unexpected "}"'],
    ['{.a[?(@.b<>10)]}', 'column 10: <> is not an operator'],
    ['{.a[?(@.b=~"c.*")]}', 'column 10: =~ is not an operator'],
    ['{.a[?(@.b==)]}', 'column 12: the filter has no right side'],
    ['{"abc}', 'column 2: the quoted string is not closed'],
    ["{['abc]}", 'column 3: the quoted field is not closed'],
    ['{"\\q"}', 'column 2: the escape \\q is not known'],
    ['{1.2.3}', 'column 2: 1.2.3 is not a number'],
    ['{.. ..a}', 'column 5: .. must not follow another ..'],
    [`{${'.'.repeat(60)}a}`, '.. must not follow another ..'],
    ['{.a,.b}', 'column 4: unexpected ","'],
    [`{${'[?('.repeat(101)}`, 'the brackets are nested too deeply'],
  ])('throws SyntaxError for %s', (template, message) => {
    expect(() => parseJsonPath(template)).toThrow(message);
    expect(() => parseJsonPath(template)).toThrow(SyntaxError);
  });

  it.each<[template: string, message: string]>([
    ['{.integers[4]}', 'column 12: array index out of bounds: index 4, length 4'],
    ['{.integers[-5]}', 'array index out of bounds: index -1, length 4'],
    ['{.integers[0:9]}', 'array index out of bounds: index 8, length 4'],
    ['{.integers[3:1]}', 'starting index 3 is greater than ending index 1'],
    ['{.empty[0]}', 'array index out of bounds: index 0, length 0'],
    ['{.labels[0]}', 'column 10: an object is not a list'],
    ['{.html[?(@.a)]}', 'an object is not a list and cannot be filtered'],
    ['{.maps[?(@.name==1)]}', 'column 7: a string and a number cannot be compared'],
    ['{.bools[?(@<true)]}', 'booleans have no order'],
    ['{.maps[?(@.*==1)]}', 'a filter compares one value at a time'],
    [`{${'...*'.repeat(30)}}`, 'the path selects more than 100000 values'],
  ])('throws TypeError for values that do not have the form of %s', (template, message) => {
    const object = { ...values, deep: JSON.parse(`${'[[],'.repeat(50)}0${']'.repeat(50)}`) };
    const path = parseJsonPath(template);
    expect(() => path.getText(object)).toThrow(message);
    expect(() => path.getText(object)).toThrow(TypeError);
  });

  it('throws TypeError for a missing field if these are not allowed', () => {
    const path = parseJsonPath('{.items[0].hello}', { allowMissingKeys: false });
    expect(() => path.getText(nodes)).toThrow('JSONPath template: column 12: hello is not found');
    const exists = parseJsonPath('{.items[?(@.metadata.labels)].kind}', { allowMissingKeys: false });
    expect(exists.getText(nodes)).toBe('None');
  });

  it('must be a string', () => {
    expect(() => Reflect.apply(parseJsonPath, undefined, [5])).toThrow(TypeError);
  });

  it('evaluates deeply nested values without recursion', () => {
    const depth = 20_000;
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(depth)}{"b":1}${'}'.repeat(depth)}`);
    expect(parseJsonPath('{..b}').getText({ deep })).toBe('1');
  });
});
