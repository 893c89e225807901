/** Timeline of reconciles: one lane per worker, the changes above them, and arrows of the selected reconcile. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ViewChange, ViewReconcile, ViewRun } from '../format.ts';
import type { Lane } from './model/lanes.ts';
import { eventAt, type RunModel } from './model/run-model.ts';
import { causeText, durationText, keyText, outcomeText, timeText } from './model/texts.ts';

interface TimelineProps {
  readonly model: RunModel;
  readonly lanes: readonly Lane[];
  readonly selected: ViewReconcile | undefined;
  readonly onSelect: (reconcile: ViewReconcile) => void;
}

/** Heights in pixels: of the scale, of the changes, and of a lane. */
const heights = { scale: 20, changes: 22, lane: 26 } as const;

/** The visible part of the run. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A timeline that is zoomed by buttons, and by the wheel with Ctrl. */
export function Timeline({ model, lanes, selected, onSelect }: TimelineProps): JSX.Element {
  const whole = spanOf(model.run);
  const [span, setSpan] = useState(whole);
  const [width, setWidth] = useState(800);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, entry?.contentRect.width ?? 0)));
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => setSpan(whole), [model]);
  useLayoutEffect(() => {
    if (selected !== undefined) setSpan((now) => around(now, selected, whole));
  }, [selected]);
  const zoom = (factor: number): void => setSpan((now) => zoomed(now, factor, whole));
  const shift = (share: number): void => setSpan((now) => moved(now, share * (now.to - now.from), whole));
  const scale = (at: number): number => ((at - span.from) / (span.to - span.from)) * width;
  return (
    <div class="timeline">
      <div class="tools">
        <button type="button" onClick={() => shift(-0.5)} aria-label="Earlier">
          ←
        </button>
        <button type="button" onClick={() => shift(0.5)} aria-label="Later">
          →
        </button>
        <button type="button" onClick={() => zoom(0.5)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(2)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => setSpan(whole)}>
          Whole run
        </button>
        <span class="quiet">
          {timeText(model.run, span.from)} to {timeText(model.run, span.to)} (
          {durationText(span.to - span.from)})
        </span>
      </div>
      <div class="plot">
        <LaneNames lanes={lanes} />
        <div class="drawing" ref={box}>
          <Drawing {...{ model, lanes, selected, onSelect, span, width, scale }} />
        </div>
      </div>
    </div>
  );
}

function LaneNames({ lanes }: { readonly lanes: readonly Lane[] }): JSX.Element {
  return (
    <div class="lanes">
      <span style={{ height: `${heights.changes}px`, marginTop: `${heights.scale}px` }}>changes</span>
      {lanes.map(({ controller, worker }, row) => (
        <span style={{ height: `${heights.lane}px` }}>
          {lanes[row - 1]?.controller === controller ? '' : controller} {worker}
        </span>
      ))}
    </div>
  );
}

interface DrawingProps extends TimelineProps {
  readonly span: Span;
  readonly width: number;
  readonly scale: (at: number) => number;
}

function Drawing({ model, lanes, selected, onSelect, span, width, scale }: DrawingProps): JSX.Element {
  const top = heights.scale + heights.changes;
  const height = top + lanes.length * heights.lane;
  const label = `${model.run.reconciles.length} reconciles in ${lanes.length} lanes; the list below has them`;
  return (
    <svg role="img" aria-label={label} width={width} height={height}>
      {ticksOf(span, width).map((at) => (
        <g class="tick">
          <line x1={scale(at)} x2={scale(at)} y1={heights.scale - 4} y2={height} />
          <text x={scale(at) + 3} y={heights.scale - 7}>
            {timeText(model.run, at)}
          </text>
        </g>
      ))}
      {visibleChanges(model, span, scale).map((x) => (
        <line class="moment" {...{ x1: x, x2: x, y1: heights.scale + 4, y2: top - 4 }} />
      ))}
      {lanes.map((lane, row) =>
        visibleReconciles(lane, span, scale).map((reconcile) => (
          <Bar
            {...{ reconcile, scale, span, y: top + row * heights.lane + 4 }}
            {...{ isSelected: reconcile === selected, onSelect: () => onSelect(reconcile) }}
          />
        )),
      )}
      {selected !== undefined && <Arrows {...{ model, lanes, selected, scale, top }} />}
    </svg>
  );
}

interface BarProps {
  readonly reconcile: ViewReconcile;
  readonly scale: (at: number) => number;
  readonly span: Span;
  readonly y: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Bar({ reconcile, scale, span, y, isSelected, onSelect }: BarProps): JSX.Element {
  const { from, until = span.to, controller, causes } = reconcile;
  const x = scale(Math.max(from, span.from));
  const width = Math.max(4, scale(Math.min(until, span.to)) - x);
  const title = `${controller} ${keyText(reconcile)}: ${outcomeText(reconcile)}; ${causes.map(causeText).join(', ')}`;
  return (
    <rect
      {...{ x, y, width, height: heights.lane - 8, rx: 2, onClick: onSelect }}
      class={`bar ${toneOf(reconcile)}${isSelected ? ' selected' : ''}`}
    >
      <title>{title}</title>
    </rect>
  );
}

/** Returns the class of a reconcile: its color. */
export function toneOf({ outcome }: ViewReconcile): string {
  if (outcome === 'retry' || outcome === 'terminal') return 'bad';
  if (outcome === 'conflict' || outcome === 'gone') return 'warn';
  return outcome === '' ? 'open' : 'good';
}

interface ArrowsProps extends Omit<TimelineProps, 'selected' | 'onSelect'> {
  readonly selected: ViewReconcile;
  readonly scale: (at: number) => number;
  readonly top: number;
}

/** Arrows from the changes that have woken the selected reconcile. */
function Arrows({ model, lanes, selected, scale, top }: ArrowsProps): JSX.Element {
  const row = lanes.findIndex(({ reconciles }) => reconciles.includes(selected));
  const y = top + row * heights.lane + 4;
  const x = scale(selected.from) + 1;
  const changes = selected.causes.flatMap(({ event = -1 }) => eventAt(model.run, event)?.at ?? []);
  return (
    <g class="arrows">
      {changes.map((at) => (
        <path d={`M ${scale(at)} ${top - 4} C ${scale(at)} ${y - 2}, ${x} ${top}, ${x} ${y - 2}`} />
      ))}
      {changes.length > 0 && <path class="tip" d={`M ${x - 4} ${y - 5} L ${x} ${y} L ${x + 4} ${y - 5} Z`} />}
    </g>
  );
}

/** Returns the positions of the changes, one for each pixel. */
function visibleChanges({ run }: RunModel, span: Span, scale: (at: number) => number): readonly number[] {
  const isVisible = (change: ViewChange): boolean =>
    change.change !== 'existing' && change.at >= span.from && change.at <= span.to;
  const changes = run.events.filter((event) => event.kind === 'change').filter(isVisible);
  return [...new Set(changes.map(({ at }) => Math.round(scale(at)) + 0.5))];
}

/** Returns the visible reconciles of a lane, those at the same pixel once unless they have failed. */
function visibleReconciles(lane: Lane, span: Span, scale: (at: number) => number): readonly ViewReconcile[] {
  let last = Number.NEGATIVE_INFINITY;
  return lane.reconciles.filter((reconcile) => {
    if (reconcile.from > span.to || (reconcile.until ?? span.to) < span.from) return false;
    const x = scale(reconcile.from);
    if (x - last < 2 && toneOf(reconcile) === 'good') return false;
    last = x;
    return true;
  });
}

/** A margin of 2 % on both sides, and never nothing. */
function spanOf({ from, to }: ViewRun): Span {
  const margin = Math.max(1, (to - from) * 0.02);
  return { from: from - margin, to: to + margin };
}

/** Returns the span moved so that it contains a reconcile, of which at least 8 pixels are visible. */
function around(span: Span, { from, until = from }: ViewReconcile, whole: Span): Span {
  const length = Math.max(span.to - span.from, (until - from) * 1.5);
  if (from >= span.from && until <= span.to) return span;
  return moved({ from: from - length / 2, to: from + length / 2 }, 0, whole);
}

function zoomed(span: Span, factor: number, whole: Span): Span {
  const middle = (span.from + span.to) / 2;
  const half = Math.max(1, ((span.to - span.from) * factor) / 2);
  return moved({ from: middle - half, to: middle + half }, 0, whole);
}

/** Returns a span within the whole one. */
function moved({ from, to }: Span, by: number, whole: Span): Span {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from + by, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

/** Returns round times about 150 pixels apart. */
function ticksOf({ from, to }: Span, width: number): readonly number[] {
  const rough = ((to - from) / width) * 150;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(from / step);
  const count = Math.min(100, Math.floor(to / step) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}
