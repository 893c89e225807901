/** Reports as one HTML page, without scripts and without anything that is loaded. */
import type { TimelineEntry } from '../simulate/history.ts';
import {
  type FailureContent,
  failedSeeds,
  metText,
  type PassedDocument,
  type ReportDocument,
  unusedRules,
  writeText,
} from './document.ts';

/** Returns a report as a page. */
export function htmlReport(document: ReportDocument): string {
  const [title, content] = titledContent(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1 class="${document.passed ? 'passed' : 'failed'}">${escaped(title)}</h1>
${content}
</body>
</html>
`;
}

function titledContent(document: ReportDocument): readonly [title: string, content: string] {
  if (document.passed) return [`${document.seeds} seeds passed`, passedContent(document)];
  if (!('failures' in document)) return [failureTitle(document), `${toggles}\n${failedContent(document)}`];
  const { failures, seeds } = document;
  const failed = failedSeeds(failures);
  const sections = failures.map(
    (failure) =>
      `<h2>${escaped(failureTitle(failure))} (${failure.seeds.length} seeds)</h2>\n${failedContent(failure)}`,
  );
  return [
    `${failures.length} distinct failures, ${failed} of ${seeds + failed} seeds failed`,
    [toggles, ...sections].join('\n'),
  ];
}

function failureTitle({ seed, check }: FailureContent): string {
  return `Seed ${seed} violates ${check}`;
}

/** Controls of all timelines. */
const toggles = [
  '<label><input type="checkbox" id="reads"> reads</label>',
  '<label><input type="checkbox" id="changes" checked> changes of objects</label>',
].join('\n');

function passedContent({ requests, coverage, uses, chance, permissions }: PassedDocument): string {
  const rows = coverage.map((write) =>
    tableRow([
      { text: writeText(write), kind: 'code' },
      { text: write.site, kind: 'code' },
      { text: String(write.count), kind: 'number' },
      { text: metText(write), kind: '' },
      { text: write.unmet.join(', '), kind: 'unmet' },
    ]),
  );
  return [
    `<p>The operator has sent ${requests} requests.</p>`,
    '<h2>Writes of the operator, and the faults that they have met</h2>',
    `<table>${tableHead(['Write', 'Line', 'Sent', 'Met', 'Not met'])}<tbody>`,
    ...rows,
    '</tbody></table>',
    ...codeList('Uses of what a simulation replaces', uses),
    ...codeList('Fields that depend on chance, and are not compared', chance),
    ...codeList('Rules of the service account that no request needed', unusedRules(permissions)),
  ].join('\n');
}

function codeList(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const items = texts.map((item) => `<li><code>${escaped(item)}</code></li>`);
  return [`<h2>${title}</h2><ul>`, ...items, '</ul>'];
}

function failedContent({ story, timeline }: FailureContent): string {
  const lanes = [...new Set(timeline.map(laneOf))].sort(byLane);
  return [
    `<div class="story">${story.split('\n').map(storyLine).join('')}</div>`,
    '<h2>Timeline</h2>',
    `<table class="timeline">${tableHead(['Time', ...lanes])}<tbody>`,
    ...timeline.map((entry) => timelineRow(entry, lanes)),
    '</tbody></table>',
  ].join('\n');
}

function storyLine(line: string): string {
  const [, indentation = '', text = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  return `<div style="padding-left: ${indentation.length}ch">${folded(text)}</div>`;
}

/** Lengths of texts, such as those with an object: longer ones are folded, with this much of them visible. */
const lengths = { most: 300, visible: 160 };

/** Returns a text whose end is hidden until a reader opens it, if it is long. */
function folded(text: string): string {
  if (text.length <= lengths.most) return escaped(text);
  const characters = [...text];
  const [head, tail] = [characters.slice(0, lengths.visible), characters.slice(lengths.visible)];
  return `<details><summary>${escaped(head.join(''))}</summary>${escaped(tail.join(''))}</details>`;
}

/** The column of an entry: a process, the server, or the schedule. */
function laneOf({ kind, replica }: TimelineEntry): string {
  if (kind === 'request') return replica;
  return kind === 'change' ? serverLane : scheduleLane;
}

const scheduleLane = 'schedule';
const serverLane = 'server';

function byLane(a: string, b: string): number {
  return laneRank(a) - laneRank(b) || (a < b ? -1 : 1);
}

function laneRank(lane: string): number {
  return lane === scheduleLane ? 0 : lane === serverLane ? 2 : 1;
}

function timelineRow(entry: TimelineEntry, lanes: readonly string[]): string {
  const time = `<td class="time">${(entry.atMs / 1_000).toFixed(3)} s</td>`;
  const own = laneOf(entry);
  const cells = lanes.map((lane) => (lane === own ? `<td>${entryContent(entry)}</td>` : '<td></td>'));
  return `<tr class="${classOf(entry)}">${time}${cells.join('')}</tr>`;
}

function classOf({ kind, isWrite, status, text }: TimelineEntry): string {
  if (kind === 'note') return text.startsWith('violated') ? 'violated' : 'note';
  if (kind !== 'request') return kind;
  const isRefused = status === undefined || status >= 400;
  return `${isWrite ? 'write' : 'read'}${isRefused ? ' refused' : ''}`;
}

function entryContent({ text, replica, site, faults }: TimelineEntry): string {
  const shown = replica !== '' && text.startsWith(`${replica}: `) ? text.slice(replica.length + 2) : text;
  const place = site === '' ? '' : `<small>${escaped(site)}</small>`;
  const marks = faults.map((fault) => `<mark>${escaped(fault)}</mark>`).join('');
  return `${folded(shown)}${marks}${place}`;
}

function tableHead(titles: readonly string[]): string {
  return `<thead><tr>${titles.map((title) => `<th>${escaped(title)}</th>`).join('')}</tr></thead>`;
}

/** One cell of a table; `kind` is its class. */
interface Cell {
  readonly text: string;
  readonly kind: string;
}

function tableRow(cells: readonly Cell[]): string {
  return `<tr>${cells.map(({ text, kind }) => `<td class="${kind}">${escaped(text)}</td>`).join('')}</tr>`;
}

/** Texts are those of objects and errors, which may contain any characters. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Style sheet of reports: light and dark, and readable on paper. */
const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1.passed { color: light-dark(#1a7f37, #3fb950); }
h1.failed, .violated { color: light-dark(#cf222e, #ff7b72); }
.story, code, .code, .timeline td { font: 13px/1.5 ui-monospace, monospace; }
.story { white-space: pre-wrap; padding: 1rem; background: light-dark(#f6f8fa, #151b23); }
.story, td, li { overflow-wrap: anywhere; }
summary { cursor: pointer; }
details:not([open]) > summary::after { content: '…'; }
table { border-collapse: collapse; }
th { text-align: left; position: sticky; top: 0; background: light-dark(#fff, #0d1117); }
th, td { padding: .2rem .8rem; vertical-align: top; border-bottom: 1px solid light-dark(#d1d9e0, #3d444d); }
.number, .time { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.unmet, .read, .change, small { color: light-dark(#59636e, #9198a1); }
.write { font-weight: 600; }
.refused { color: light-dark(#9a6700, #d29922); }
.step td { background: light-dark(#ddf4ff, #121d2f); }
.violated td { background: light-dark(#ffebe9, #25171c); font-weight: 600; }
small { display: block; font-weight: 400; }
mark { margin-left: .5rem; padding: 0 .3rem; border-radius: .3rem; }
label { margin-right: 1rem; }
body:has(#reads:not(:checked)) .read, body:has(#changes:not(:checked)) .change { display: none; }
`;
