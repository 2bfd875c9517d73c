import { Flag, GitMerge } from 'lucide';
import type { components } from '@docent/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Icon } from '../../parts/icon.tsx';
import { count, shortCount } from '../../parts/number.ts';
import { to } from '../../shell/routes.ts';
import { theme } from '../../shell/theme.ts';
import { text } from '../../text.ts';
import type { Point, Series } from './counted.ts';
import { dataOf, KINDS } from './lines.ts';
import { instantName } from './names.ts';
import './chart.css';

const { analytics: w } = text;

export type Annotation = components['schemas']['Annotation'];

/** An annotation, or a pull request that was merged. */
export interface Mark {
  /** Seconds since 1970: the start of the day or the hour. */
  at: number;
  title: string;
  /** Of a pull request. */
  jobId: string | null;
}

type Line = (typeof KINDS)[number] | 'before';
const HEIGHT = 300;

/** Lines over time. The table below has the same values as hovering. */
export function Chart({
  series,
  marks,
  projectId,
  label,
  hasBefore,
}: {
  series: Series;
  marks: readonly Mark[];
  projectId: string;
  label: string;
  hasBefore: boolean;
}) {
  const [hidden, setHidden] = useState<readonly Line[]>([]);
  const lines: Line[] = hasBefore ? [...KINDS, 'before'] : [...KINDS];
  return (
    <div class="chart">
      <div class="chart-legend" role="group" aria-label={w.lines}>
        {lines.map((line) => (
          <button
            key={line}
            type="button"
            aria-pressed={!hidden.includes(line)}
            onClick={() => setHidden(hidden.includes(line) ? hidden.filter((l) => l !== line) : [...hidden, line])}
          >
            <i class={`swatch ${line}`} /> {w.kinds[line]}
          </button>
        ))}
      </div>
      <Plot {...{ series, marks, projectId, label, hidden, hasBefore }} />
      {series.isOpen && <p class="hint">{w.open[series.unit]}</p>}
    </div>
  );
}

function Plot({
  series,
  marks,
  projectId,
  label,
  hidden,
  hasBefore,
}: {
  series: Series;
  marks: readonly Mark[];
  projectId: string;
  label: string;
  hidden: readonly Line[];
  hasBefore: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const over = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const isDark = useIsDark();
  const { points, unit, isOpen } = series;
  const hiddenNow = hidden.join();

  useEffect(() => {
    const host = place.current;
    if (!host) return;
    let plot: uPlot | undefined;
    let isGone = false;
    const sizes = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height: HEIGHT }));
    void import('uplot').then(({ default: Plotted }) => {
      if (isGone) return;
      plot = new Plotted(
        optionsOf(host, Plotted, { unit, hidden, onHover: setHovered, onLayout: (u) => layOver(u, over.current) }),
        dataOf(series),
        host,
      );
      sizes.observe(host);
    });
    return () => {
      isGone = true;
      sizes.disconnect();
      plot?.destroy();
      setHovered(null);
    };
  }, [points, unit, hiddenNow, isDark]);

  const places = placesOf(marks, points);
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const left = (at: number) => `${((at - first) / (last - first || 1)) * 100}%`;
  const point = hovered === null ? undefined : points[hovered];
  return (
    <div class="plot" style={{ height: `${HEIGHT}px` }}>
      <div ref={place} role="img" aria-label={label} />
      <div ref={over} class="plot-over">
        {places.map(({ at, titles, jobId }) => (
          <a
            key={at}
            class="mark"
            {...(jobId === null ? { role: 'img' as const } : { href: to.job(projectId, jobId) })}
            style={{ left: left(at) }}
            aria-label={
              jobId === null
                ? w.markedOn(instantName(at, unit), titles.join(', '))
                : w.mergedOn(instantName(at, unit), titles.join(', '))
            }
            title={titles.join('\n')}
          >
            <Icon of={jobId === null ? Flag : GitMerge} size={12} />
          </a>
        ))}
        {point && (
          <div
            class={`plot-tip ${point.at - first > (last - first) / 2 ? 'before-it' : ''}`}
            style={{ left: left(point.at) }}
          >
            <strong>
              {instantName(point.at, unit)}
              {isOpen && point === points.at(-1) && ` · ${w.soFar}`}
            </strong>
            {KINDS.map((kind) => (
              <span key={kind}>
                <i class={`swatch ${kind}`} /> {w.kinds[kind]} <b>{count(point.now[kind])}</b>
              </span>
            ))}
            {hasBefore && point.before && (
              <span>
                <i class="swatch before" /> {instantName(point.before.at, unit)}{' '}
                <b>{count(point.before.counts.total)}</b>
              </span>
            )}
            {marks
              .filter(({ at }) => at === point.at)
              .map(({ title, jobId }, i) => (
                <em key={i}>
                  <Icon of={jobId === null ? Flag : GitMerge} size={12} /> <bdi>{title}</bdi>
                </em>
              ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** One place per moment, with a link to the job of its first pull request. */
function placesOf(marks: readonly Mark[], points: readonly Point[]) {
  const shown = new Set(points.map(({ at }) => at));
  const ofMoments = Map.groupBy(
    marks.filter(({ at }) => shown.has(at)),
    ({ at }) => at,
  );
  return [...ofMoments].map(([at, all]) => ({
    at,
    titles: all.map(({ title }) => title),
    jobId: all.find(({ jobId }) => jobId !== null)?.jobId ?? null,
  }));
}

function optionsOf(
  host: HTMLElement,
  Plotted: typeof uPlot,
  {
    unit,
    hidden,
    onHover,
    onLayout,
  }: {
    unit: Series['unit'];
    hidden: readonly Line[];
    onHover: (index: number | null) => void;
    onLayout: (plot: uPlot) => void;
  },
): uPlot.Options {
  const color = colors(host);
  const axis = { stroke: color('--soft'), font: '12px system-ui, sans-serif', ticks: { show: false } };
  const line = (name: Line, extra: uPlot.Series = {}): uPlot.Series => ({
    show: !hidden.includes(name),
    stroke: color(name === 'before' ? '--total' : `--${name}`),
    width: 2,
    points: { show: false },
    ...extra,
  });
  return {
    width: host.clientWidth,
    height: HEIGHT,
    padding: [22, 24, 0, 0],
    legend: { show: false },
    // The API's days are UTC's.
    tzDate: (at) => Plotted.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(4, max) * 1.05] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 80,
        incrs: unit === 'hour' ? [3_600, 7_200, 14_400, 21_600] : [1, 2, 3, 7, 14, 28, 56, 91, 182, 364].map(inDays),
        values: (_plot, ats) => ats.map((at) => instantName(at, unit, 'short')),
      },
      {
        ...axis,
        size: 54,
        grid: { stroke: color('--line'), width: 1 },
        incrs: [1, 2, 5].flatMap((n) => Array.from({ length: 10 }, (_, i) => n * 10 ** i)).toSorted((a, b) => a - b),
        values: (_plot, values) => values.map(shortCount),
      },
    ],
    series: [
      {},
      ...KINDS.map((kind) => line(kind)),
      line('before', { dash: [5, 5], width: 1.5 }),
      ...KINDS.map((kind) => line(kind, { dash: [3, 4] })),
    ],
    hooks: {
      setCursor: [(plot) => onHover(plot.cursor.idx ?? null)],
      ready: [onLayout],
      setSize: [onLayout],
      drawAxes: [onLayout],
    },
  };
}

const inDays = (n: number): number => n * 86_400;

/** Positions the overlays on the lines. */
function layOver(plot: uPlot, over: HTMLElement | null): void {
  if (!over) return;
  const { left, top, width, height } = plot.bbox;
  const scale = devicePixelRatio;
  Object.assign(over.style, {
    left: `${left / scale}px`,
    top: `${top / scale}px`,
    width: `${width / scale}px`,
    height: `${height / scale}px`,
  });
}

/**
 * A canvas cannot use `var()`: this resolves a token in the current theme. Each uses a new element, so that
 * no old color is in transition.
 */
function colors(host: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('i');
    probe.style.color = `var(${token})`;
    host.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** Follows the theme, or the system's if none is chosen. */
function useIsDark(): boolean {
  const [isDarkSystem, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setDark(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);
  return theme.value === 'system' ? isDarkSystem : theme.value === 'dark';
}
