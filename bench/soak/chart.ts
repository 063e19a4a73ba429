import type { Sample } from "./sample.ts";

/** One line over time, with its own scale from zero. */
interface Series {
  readonly title: string;
  readonly unit: string;
  readonly colour: string;
  pick(sample: Sample): number;
}

const series: readonly Series[] = [
  { title: "Memory of the server", unit: "MB", colour: "#3b6fd4", pick: ({ memoryMb }) => memoryMb },
  { title: "Tables with indexes", unit: "MB", colour: "#2a9d6f", pick: ({ tablesMb }) => tablesMb },
  { title: "Latency p99", unit: "ms", colour: "#c8553d", pick: ({ p99Ms }) => p99Ms },
  { title: "Dead rows", unit: "", colour: "#8a6fc9", pick: ({ deadRows }) => deadRows },
];

const width = 720;
const height = 110;
const margin = { left: 16, top: 34, right: 16, bottom: 14 };

/** A small chart for each figure, one below the other, on one axis of time. */
export function chartOf(samples: readonly Sample[]): string {
  const total = height * series.length;
  const panels = series.map((each, index) => panelOf(each, samples, index * height));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="13">
<title>Memory, tables, latency and dead rows over time</title>
<rect width="${width}" height="${total}" fill="#ffffff"/>
${panels.join("\n")}
</svg>
`;
}

function panelOf({ title, unit, colour, pick }: Series, samples: readonly Sample[], top: number): string {
  const values = samples.map(pick).map((value) => (Number.isFinite(value) ? value : 0));
  const most = Math.max(1, ...values);
  const last = samples.at(-1)?.seconds || 1;
  const x = (seconds: number) => margin.left + (seconds / last) * (width - margin.left - margin.right);
  const y = (value: number) =>
    top + height - margin.bottom - (value / most) * (height - margin.top - margin.bottom);
  const points = values.map(
    (value, index) => `${x(samples[index]?.seconds ?? 0).toFixed(1)},${y(value).toFixed(1)}`,
  );
  const now = values.at(-1) ?? 0;
  const figures = `last ${now.toLocaleString("en")} ${unit}, most ${most.toLocaleString("en")} ${unit}`;
  return `<text x="${margin.left}" y="${top + 20}" fill="#222222">${title}</text>
<text x="${width - margin.right}" y="${top + 20}" fill="#666666" text-anchor="end">${figures}, ${Math.round(last / 60)} min</text>
<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(0)}" y2="${y(0)}" stroke="#dddddd"/>
<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
}
