/** Malformed requests with the responses of a real API server, which the server in memory equals. */

/** One request with the expected response. */
export interface Row {
  readonly title: string;
  /** Method and target, as sent. */
  readonly request: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: number;
  /** `message` of the Status, or the whole text of a response that is not JSON. */
  readonly message?: string | RegExp;
}

const maps = '/api/v1/namespaces/default/configmaps';
const missing = 'the server could not find the requested resource';
const page = '404 page not found';
const json = '"apiVersion":"v1","kind":"ConfigMap"';
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
const unreadable = `${unrecognized}couldn't get version/kind; json parse error: `;

const path = (title: string, target: string, code: number, message?: string | RegExp): Row => ({
  title,
  request: `GET ${target}`,
  code,
  ...(message === undefined ? {} : { message }),
});
const post = (
  title: string,
  body: string | Buffer,
  code: number,
  message?: string | RegExp,
  type?: string,
): Row => ({
  title,
  request: `POST ${maps}?dryRun=All`,
  body,
  headers: { 'content-type': type ?? 'application/json' },
  code,
  ...(message === undefined ? {} : { message }),
});
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const selected = (name: 'labelSelector' | 'fieldSelector', text: string, message: string | RegExp): Row =>
  path(`the ${name} ${text}`, `${maps}?${name}=${encodeURIComponent(text)}`, 400, message);
const unparsable = 'unable to parse requirement: ';

const bomb = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? '"x"' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(',')}]`;
}).join('\n');

export const rows: readonly Row[] = [
  path('an empty segment', '/api/v1//namespaces', 404, missing),
  path('an empty segment in a namespace', '/api/v1/namespaces/default//configmaps', 404, missing),
  path('two slashes at the start', '//api/v1/namespaces', 404, page),
  path('a slash at the end', '/api/v1/namespaces/', 200),
  path('a slash at the end of a name', '/api/v1/namespaces/default/', 200),
  path('a parent segment', '/api/v1/namespaces/default/../kube-system', 404, missing),
  path('an escaped parent segment', '/api/v1/namespaces/%2e%2e/kube-system', 404, missing),
  path('a parent segment with an escaped slash', '/api/v1/namespaces/..%2fkube-system', 404, missing),
  path('an escaped slash', '/api/v1/namespaces/default%2fconfigmaps', 200),
  path('an escaped slash in a name', `${maps}/a%2fb`, 404, missing),
  path('a current segment', '/api/./v1/namespaces', 404, missing),
  path('the name ..', `${maps}/..`, 400, 'Name parameter invalid: "..": may not be \'..\''),
  path('the name .', `${maps}/.`, 400, 'Name parameter invalid: ".": may not be \'.\''),
  path('the name %', `${maps}/%25`, 400, 'Name parameter invalid: "%": may not contain \'%\''),
  path('NUL as a name', `${maps}/%00`, 404, /^configmaps ".*" not found$/),
  path('NUL in a name', `${maps}/a%00b`, 404, /^configmaps "a.*b" not found$/),
  path('a byte that is not UTF-8', `${maps}/%ff`, 404, /^configmaps ".*" not found$/),
  path('a malformed escape sequence', `${maps}/%zz`, 400, '400 Bad Request'),
  path('a space as a name', `${maps}/%20`, 404, 'configmaps " " not found'),
  path('a semicolon', '/api/v1/namespaces/default;x=1', 404, 'namespaces "default;x=1" not found'),
  path('too many segments', `${maps}/a/b/c/d`, 404, missing),
  path('other letters', '/API/v1/namespaces', 404, page),
  path('the name of a kind', '/api/v1/Namespaces', 404, missing),
  path('an unknown resource', '/api/v1/foos', 404, missing),
  path('an unknown version', '/api/v2', 404, missing),
  path('an unknown group', '/apis/none', 404, page),
  path('an unknown group with a resource', '/apis/none/v1/foos', 404, page),
  path('an unknown root', '/foo', 404, page),
  path('an asterisk', '*', 404, page),
  path('an absolute URL of another host', 'http://evil.example/api/v1/namespaces/default', 200),
  path('a malformed query parameter', '/api/v1/namespaces/default?pretty=%ZZ', 200),
  path(
    'a limit that is not a number',
    '/api/v1/namespaces?limit=x',
    400,
    'strconv.ParseInt: parsing "x": invalid syntax',
  ),
  path('the path of a health check with a slash', '/healthz/', 404, page),
  path('the path of the version with a slash', '/version/', 200),
  path('a query of 100 kB', `/version?x=${'a'.repeat(100_000)}`, 200),
  {
    title: 'a header of 100 kB',
    request: 'GET /version',
    headers: { 'x-a': 'a'.repeat(100_000) },
    code: 200,
  },
  {
    title: 'a header of 2 MB',
    request: 'GET /version',
    headers: { 'x-a': 'a'.repeat(2_000_000) },
    code: 431,
  },
  {
    title: 'an unknown method',
    request: 'PROPFIND /api/v1/namespaces',
    code: 405,
    message: 'the server does not allow this method on the requested resource',
  },
  { title: 'an unknown expectation', request: 'GET /version', headers: { expect: 'x' }, code: 417 },

  post('no body', '', 400, `${unreadable}unexpected end of JSON input (<empty>)`),
  post('text', 'hello', 400, /json parse error: .* \(68656c6c6f\)$/),
  post('truncated JSON', `{${json},`, 400, /\(\{"apiVersion":"v1","kind":"Con \.\.\.\)$/),
  post('an array', '[]', 400, /json: cannot unmarshal array into .* \(5b5d\)$/),
  post('a number', '1', 400, /json: cannot unmarshal number into .* \(31\)$/),
  post('text after an object', `{${json}} x`, 400),
  post('two objects', `{${json}}{}`, 400),
  post('duplicate keys', `{${json},"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}`, 201),
  {
    ...post(
      'duplicate keys, strict',
      `{${json},"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}`,
      400,
      /strict decoding error: duplicate field "data\.a"$/,
    ),
    request: `POST ${maps}?dryRun=All&fieldValidation=Strict`,
  },
  post('100,000 brackets', '['.repeat(100_000), 400, /exceeded max depth/),
  post('20,000 nested objects', `{${json},"data":${nested(20_000)}}`, 400, /exceeded max depth/),
  post('500 nested objects in an unknown field', `{${json},"metadata":{"name":"a"},"x":${nested(500)}}`, 201),
  post(
    'a byte that is not UTF-8',
    Buffer.concat([
      Buffer.from(`{${json},"metadata":{"name":"a"},"data":{"a":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]),
    201,
  ),
  post('NUL in the name', `{${json},"metadata":{"name":"a\\u0000b"}}`, 422),
  post('a control character in a string', `{${json},"metadata":{"name":"a"},"data":{"a":"x\ny"}}`, 400),
  post('a byte order mark', `\ufeff{${json},"metadata":{"name":"a"}}`, 400),
  post('YAML', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }', 201, undefined, 'application/yaml'),
  post('malformed YAML', 'a: [', 400, /unrecognized .*: yaml: .* \(613a205b\)$/s, 'application/yaml'),
  post(
    'YAML whose aliases expand to 400 million values',
    bomb,
    400,
    /yaml: document contains excessive aliasing/,
    'application/yaml',
  ),
  post(
    'protobuf without its prefix',
    Buffer.from([1, 2, 3, 4]),
    400,
    `${unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (01020304)`,
    'application/vnd.kubernetes.protobuf',
  ),
  post(
    'malformed protobuf',
    Buffer.from([0x6b, 0x38, 0x73, 0, 0xff, 0xff, 0xff]),
    400,
    `${unrecognized}unexpected EOF (6b387300ffffff)`,
    'application/vnd.kubernetes.protobuf',
  ),
  post(
    'protobuf without content',
    Buffer.from([0x6b, 0x38, 0x73, 0]),
    400,
    `${unrecognized}empty body (6b387300)`,
    'application/vnd.kubernetes.protobuf',
  ),
  post('another media type', 'x', 415, /^the body of the request was in an unknown format/, 'text/plain'),
  post('a malformed media type', '{}', 415, /^the body of the request was in an unknown format/, ';;;'),
  post('a body of 3 MiB', ' '.repeat(3 * 1024 * 1024), 400),
  post(
    'a body of more than 3 MiB',
    ' '.repeat(3 * 1024 * 1024 + 1),
    413,
    'Request entity too large: limit is 3145728',
  ),
  post(
    'a body of 100 MB',
    Buffer.alloc(100_000_000, 0x20),
    413,
    'Request entity too large: limit is 3145728',
  ),
  { title: 'a body of a GET request', request: `GET ${maps}/none`, body: 'x'.repeat(100_000), code: 404 },
  {
    title: 'malformed options of a deletion',
    request: `DELETE ${maps}/none`,
    body: 'x',
    headers: { 'content-type': 'application/json' },
    code: 400,
  },
  {
    title: 'a malformed patch',
    request: 'PATCH /api/v1/namespaces/default',
    body: '{',
    headers: { 'content-type': 'application/merge-patch+json' },
    code: 400,
  },
  {
    title: 'a patch of an unknown type',
    request: 'PATCH /api/v1/namespaces/default',
    body: '{}',
    headers: { 'content-type': 'application/json' },
    code: 415,
  },
  {
    title: 'a patch of 20,000 nested objects',
    request: 'PATCH /api/v1/namespaces/default',
    body: nested(20_000),
    headers: { 'content-type': 'application/merge-patch+json' },
    code: 400,
  },
  {
    title: 'an applied configuration whose aliases expand to 400 million values',
    request: 'PATCH /api/v1/namespaces/default?fieldManager=a',
    body: bomb,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    code: 400,
  },
  {
    title: 'a JSON patch that is an object',
    request: 'PATCH /api/v1/namespaces/default',
    body: '{}',
    headers: { 'content-type': 'application/json-patch+json' },
    code: 400,
  },
  selected('labelSelector', '=x', "found '=', expected: !, identifier, or 'end of string'"),
  selected('labelSelector', 'a,', "found '', expected: identifier after ','"),
  selected('labelSelector', 'a,=b', "found '=', expected: identifier after ','"),
  selected('labelSelector', 'a=b=c', "found '=', expected: ',' or 'end of string'"),
  selected('labelSelector', '!a=b', "found '=', expected: ',' or 'end of string'"),
  selected('labelSelector', '!', `${unparsable}found '', expected: identifier`),
  selected('labelSelector', 'a b', `${unparsable}found 'b', expected: in, notin, =, ==, !=, gt, lt`),
  selected('labelSelector', 'a in 1', `${unparsable}found '1' expected: '('`),
  selected('labelSelector', 'a in (1', `${unparsable}found '', expected: ',' or ')'`),
  selected('labelSelector', 'a in (=', `${unparsable}found '=', expected: ',', ')' or identifier`),
  selected('labelSelector', 'a in (b,=', `${unparsable}found '=', expected: ',', or identifier`),
  selected('labelSelector', 'a/b/c', /<nil>: Invalid value: "a\/b\/c": a valid label key must consist/),
  selected(
    'labelSelector',
    'a in (b&,c&)',
    /\[values\[0\]\[a\]: Invalid value: "b&": .*, values\[1\]\[a\]: /,
  ),
  selected('labelSelector', 'a>x', /values\[0\]: Invalid value: "x": .* must be an integer$/),
  selected('labelSelector', 'a<9223372036854775808', /Invalid value: "9223372036854775808": .* an integer$/),
  selected('fieldSelector', 'b=c,a', "invalid selector: 'b=c,a'; can't understand 'a'"),
  selected('fieldSelector', 'x=b=c', 'invalid field selector: unescaped character in value: 61'),
  selected('fieldSelector', 'x=b\\x', 'invalid field selector: invalid escape sequence: \\x'),
  selected('fieldSelector', 'x=b\\', 'invalid field selector: invalid escape sequence: \\'),
  selected('fieldSelector', '=b', /"" is not a known field selector/),
  selected('fieldSelector', 'y=1,x=2', /"x" is not a known field selector/),
];
