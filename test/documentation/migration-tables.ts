/** Tables of docs/migrating.md, which are written from programs: a comment and a statement for each row. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

const folder = join(root, 'test/documentation/fixtures/migrating');

/** A program whose rows are a table. */
export interface TableProgram {
  /** Name of the table, such as `client-node`. */
  readonly name: string;
  readonly text: string;
}

/** The programs of all tables. */
export const tablePrograms: readonly TableProgram[] = readdirSync(folder)
  .sort()
  .map((file) => ({ name: file.replace(/\.ts$/, ''), text: readFileSync(join(folder, file), 'utf8') }));

/** Returns the rows of a program as lines of Markdown. */
export function tableOf({ text }: TableProgram): string {
  const [, rows = ''] = text.split('// rows\n');
  return rows
    .trim()
    .split(/\n\n+/)
    .map((row) => {
      const [comment = '', ...statement] = row.split('\n');
      const own = statement
        .map((line) => line.trim())
        .join(' ')
        .replaceAll(' .', '.')
        .replace(/;$/, '')
        .replace(/^export /, '')
        .replace(/^(?:const \w+ = )?(?:await |\(\) => )/, '');
      const other = comment.replace('// ', '');
      // A comment with back quotes is Markdown.
      return `| ${other.includes('`') ? other : code(other)} | ${code(own)} |\n`;
    })
    .join('');
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** Returns a page with its tables as the programs have them. */
export function withTables(page: string): string {
  return tablePrograms.reduce(
    (text, program) =>
      text.replace(
        new RegExp(`(<!-- table ${program.name} -->\n\n(?:\\|.*\n){2})(?:\\|.*\n)*`),
        (_, head: string) => head + tableOf(program),
      ),
    page,
  );
}
