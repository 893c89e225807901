import { describe, expect, it } from 'vitest';
import { editYaml, type YamlEditor } from './edit.ts';

interface Case {
  readonly given: string;
  readonly change: (editor: YamlEditor) => void;
  readonly want: string;
}

const cases: Readonly<Record<string, Case>> = {
  'a value, and nothing around it': {
    given:
      '# top\na: 1 # one\n\n# two\nb: "x" # text\nc:\n- 0x1F\n- 0644\n- 12345678901234567890\n- 1.50\n- ~\n- on\n',
    change: (editor) => editor.set(['b'], 'y'),
    want: '# top\na: 1 # one\n\n# two\nb: "y" # text\nc:\n- 0x1F\n- 0644\n- 12345678901234567890\n- 1.50\n- ~\n- on\n',
  },
  'a number': {
    given: 'a: 0644\nb: 0644\n',
    change: (editor) => editor.set(['a'], 7),
    want: 'a: 7\nb: 0644\n',
  },
  'indented lists': {
    given: 'a:\n  - b:\n      c: 1\n',
    change: (editor) => editor.set(['a', 0, 'b', 'd'], [1]),
    want: 'a:\n  - b:\n      c: 1\n      d:\n        - 1\n',
  },
  'lists in the column of their key': {
    given: 'a:\n- b:\n    c: 1\n',
    change: (editor) => editor.set(['a', 1], { b: ['x'] }),
    want: 'a:\n- b:\n    c: 1\n- b:\n  - x\n',
  },
  'what is not there yet': {
    given: 'a: null\nb: []\nc:\n',
    change: (editor) => {
      editor.set(['a', 0, 'x'], 1);
      editor.set(['b', 0], 'n');
      editor.set(['c', 'd', 'e'], 'f');
    },
    want: 'a:\n- x: 1\nb:\n- "n"\nc:\n  d:\n    e: f\n',
  },
  'an empty text': { given: '', change: (editor) => editor.set(['a', 'b'], true), want: 'a:\n  b: true\n' },
  'texts that YAML 1.1 takes for something else': {
    given: '{}',
    change: (editor) =>
      editor.set(['a'], ['y', 'No', 'on', '1:30', '0o7', '1_000', '.5', '<<', '', 'yes please', '=']),
    want: '{"a":["y","No","on","1:30","0o7","1_000",".5","<<","","yes please","="]}\n',
  },
  'texts that YAML 1.1 takes for something else, in YAML': {
    given: 'a: x\n',
    change: (editor) =>
      editor.set(['a'], ['y', 'No', 'on', '1:30', '1_000', '.5', '', 'yes please', '=', '-1']),
    want: 'a:\n- "y"\n- "No"\n- "on"\n- "1:30"\n- "1_000"\n- ".5"\n- ""\n- yes please\n- "="\n- "-1"\n',
  },
  'one of two places that are the same by an alias': {
    given: 'a: &x { b: 1 }\nc: *x\nd: { <<: *x, e: 2 }\n',
    change: (editor) => editor.set(['c', 'b'], 2),
    want: 'a: &x { b: 1 }\nc: { b: 2 }\nd: { e: 2, b: 1 }\n',
  },
  'what has nothing to do with aliases': {
    given: 'a: &x { b: 1 }\nc: *x\nd: { <<: *x, e: 2 }\nf: 1\n',
    change: (editor) => editor.set(['f'], 2),
    want: 'a: &x { b: 1 }\nc: *x\nd: { <<: *x, e: 2 }\nf: 2\n',
  },
  'a part of what is merged, and nowhere else': {
    given: 'a: &x { b: { c: 1, d: 2 } }\nf:\n  <<: [*x, { b: 3, g: 4 }]\n  e: 5\n',
    change: (editor) => editor.set(['f', 'b', 'c'], 6),
    want: 'a: &x { b: { c: 1, d: 2 } }\nf:\n  e: 5\n  b: { c: 6, d: 2 }\n  g: 4\n',
  },
  'what is merged, by removing it': {
    given: 'a: &x { token: t }\nf:\n  <<: *x\n  e: 5\n',
    change: (editor) => editor.remove(['f', 'token']),
    want: 'a: &x { token: t }\nf:\n  e: 5\n',
  },
  'a member of an alias, by removing it': {
    given: 'a: &x { b: 1 }\nc: *x\n',
    change: (editor) => editor.remove(['c', 'b']),
    want: 'a: &x { b: 1 }\nc: {}\n',
  },
  'lines as Windows writes them': {
    given: '\ufeffa: 1\r\nb: |\r\n  x\r\n  y\r\nc: "\\r\\n"\r\n',
    change: (editor) => editor.set(['a'], 2),
    want: '\ufeffa: 2\r\nb: |\r\n  x\r\n  y\r\nc: "\\r\\n"\r\n',
  },
  'JSON as Windows writes it': {
    given: '\ufeff{\r\n\t"a": 1\r\n}\r\n',
    change: (editor) => editor.set(['b'], []),
    want: '\ufeff{\r\n\t"a": 1,\r\n\t"b": []\r\n}\r\n',
  },
  'numbers of JSON that were left alone': {
    given: '{"a":1.0,"b":12345678901234567890,"c":[1E2,-0],"d":true,"e":null,"f":"\\u00e9"}\n',
    change: (editor) => {
      editor.set(['c', 2], 1.5);
      editor.set(['d'], 7);
    },
    want: '{"a":1.0,"b":12345678901234567890,"c":[1E2,-0,1.5],"d":7,"e":null,"f":"é"}\n',
  },
  'one sort of value into another': {
    given: 'a: "yes"\nb: "7"\nc: on # was\nd: 7\n',
    change: (editor) => {
      editor.set(['a'], true);
      editor.set(['b'], 7);
      editor.set(['c'], 'x');
      editor.set(['d'], '7');
    },
    want: 'a: true\nb: 7\nc: x # was\nd: "7"\n',
  },
  'an anchor that goes': {
    given: 'a: &x { b: 1 }\nc: *x\n',
    change: (editor) => editor.remove(['a']),
    want: 'c: { b: 1 }\n',
  },
  'indented JSON': {
    given: '{\n    "a": {"__proto__": 1},\n    "b": []\n}\n',
    change: (editor) => editor.set(['b', 0], 'x'),
    want: '{\n    "a": {\n        "__proto__": 1\n    },\n    "b": [\n        "x"\n    ]\n}\n',
  },
  'a prototype, which is a key like others': {
    given: 'a: {}\n',
    change: (editor) => editor.set(['a', '__proto__', 'polluted'], 'yes'),
    want: 'a:\n  __proto__:\n    polluted: "yes"\n',
  },
  'several lines of text': {
    given: 'a: x\n',
    change: (editor) => editor.set(['b'], 'one\ntwo\n'),
    want: 'a: x\nb: |\n  one\n  two\n',
  },
  'characters that are not allowed in the open': {
    given: 'a: x # y\n',
    change: (editor) => editor.set(['a'], 'a\u007f\u0085\u2028\ufeff\u0007\tb'),
    want: 'a: "a\\u007f\\u0085\\u2028\\ufeff\\u0007\\tb" # y\n',
  },
  'characters that are not allowed in the open, in JSON': {
    given: '{"a":"x"}',
    change: (editor) => editor.set(['a\u0085'], 'a\u007f\u0007'),
    want: '{"a":"x","a\\u0085":"a\\u007f\\u0007"}\n',
  },
  'a long text, in one line': {
    given: 'a: x\n',
    change: (editor) => editor.set(['a'], 'word '.repeat(60).trim()),
    want: `a: ${'word '.repeat(60).trim()}\n`,
  },
};

describe('editYaml', () => {
  it.each(Object.entries(cases))('changes %s', async (_, { given, change, want }) => {
    const editor = await editYaml(given, 'test');
    expect(editor.changed).toBe(false);
    change(editor);
    expect(editor.changed).toBe(true);
    expect(editor.toString()).toBe(want);
    const again = await editYaml(want, 'test');
    expect(again.read()).toEqual(editor.read());
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it.each<[string, (editor: YamlEditor) => void]>([
    ['the same value', (editor) => editor.set(['a'], 1)],
    ['the same mapping', (editor) => editor.set(['b'], { c: ['x'] })],
    ['something that is not there', (editor) => editor.remove(['z', 'y'])],
  ])('returns no change for %s', async (_, change) => {
    const editor = await editYaml('a: 1\nb: { c: [x] }\n', 'test');
    change(editor);
    expect(editor.changed).toBe(false);
  });

  it('reads values as kubectl does', async () => {
    const text =
      'a: yes\nb: Off\nc: 0644\nd: 1_000\ne: 2001-01-01\nf: "on"\ng: 0x1F\nh: 12345678901234567890\n';
    expect((await editYaml(text, 'test')).read()).toEqual({
      a: true,
      b: false,
      c: 420,
      d: 1000,
      e: '2001-01-01',
      f: 'on',
      g: 31,
      h: 12345678901234567000,
    });
  });

  it('reads and changes a document with any number of aliases', async () => {
    const text = `a: &a {x: 1}\nb:\n${'- {<<: *a}\n- *a\n'.repeat(200)}`;
    const editor = await editYaml(text, 'test');
    expect(editor.read()).toMatchObject({ b: { length: 400, 0: { x: 1 }, 399: { x: 1 } } });
    editor.set(['b', 1, 'x'], 2);
    expect(editor.read()).toMatchObject({ a: { x: 1 }, b: { 0: { x: 1 }, 1: { x: 2 }, 3: { x: 1 } } });
  });

  it('throws with the position of invalid YAML', async () => {
    await expect(editYaml('a: [\n', 'test')).rejects.toThrow(/^test:\d+:\d+: not YAML/);
    await expect(editYaml('a: { <<: 1 }', 'test')).rejects.toThrow(/^test: .*a merge \(<<\)/);
    await expect(editYaml('a: 1\n---\nb: 2\n', 'test')).rejects.toThrow(
      'test:2:1: not YAML: a second document',
    );
    await expect(editYaml(`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'test')).rejects.toThrow(
      /^test: the YAML is nested too deeply$/,
    );
    await expect(editYaml(`${'- '.repeat(20_000)}x`, 'test')).rejects.toThrow(/nested too deep/);
    await expect(editYaml('a: *b', 'test')).rejects.toThrow(/^test.*: /);
    await expect(editYaml('a: 1\n b: 2\n', 'test')).rejects.toThrow(
      expect.objectContaining({ name: 'ConfigError' }),
    );
  });
});
