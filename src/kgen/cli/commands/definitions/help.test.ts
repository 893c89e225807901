import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runIn } from '../../console.fixture.ts';

const cwd = fileURLToPath(new URL('../../../../../', import.meta.url));
const topics = [
  'projects',
  'permissions',
  'webhooks',
  'deployment',
  'certificates',
  'image',
  'bundle',
  'update',
];

test.each(topics)('the topic %s is a short text with an existing page', async (topic) => {
  const { code, stdout } = await runIn(cwd, `help ${topic}`);
  expect(code).toBe(0);
  const [, text = '', page = ''] = /^(.*?)\n\nMore: (docs\/[\w-]+\.md)\n/s.exec(stdout) ?? [];
  expect(text.split('\n').length).toBeLessThan(6);
  expect(page !== '' && existsSync(`${cwd}${page}`)).toBe(true);
});

test.each(['init', 'deploy', 'help', 'generate'])('help %s is the help of the command', async (name) => {
  expect(await runIn(cwd, `help ${name}`)).toEqual(await runIn(cwd, `${name} --help`));
});

test('a name that is a topic and a command prints both', async () => {
  const { stdout } = await runIn(cwd, 'help bundle');
  expect(stdout).toContain('More: docs/olm.md\n\nUsage: kgen bundle');
});

test('help without a topic is the help of kgen', async () => {
  expect(await runIn(cwd, 'help')).toEqual(await runIn(cwd, '--help'));
});

test.each([
  {
    name: 'permisions',
    want: /Did you mean kgen help permissions\?\nTopics: projects, .*\nCommands: generate, /,
  },
  { name: 'cert', want: /Did you mean kgen help certificates\?/ },
  { name: 'constructor', want: /'constructor' is not a valid topic\. Topics: projects, permissions, / },
])('the unknown topic $name is an error that lists all', async ({ name, want }) => {
  const { code, stdout, stderr } = await runIn(cwd, `help ${name}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(want);
});
