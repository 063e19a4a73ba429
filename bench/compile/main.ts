import { type Post, parseContent } from "../../src/content/index.ts";
import { type ChannelProfile, createPlatforms, type PlatformName } from "../../src/platforms/index.ts";
import { median, percentile, rounded } from "../shared/figures.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { table } from "../shared/table.ts";
import { sourceOf } from "./post.ts";

type Format = Parameters<typeof sourceOf>[0];

interface Target {
  readonly platform: PlatformName;
  readonly format: Format;
  readonly settings?: ChannelProfile["settings"];
  readonly units?: number;
}

const { platformOf } = createPlatforms({ TELEGRAM_API_ROOT: "http://telegram", MAX_API_ROOT: "http://max" });

const targets: readonly Target[] = [
  { platform: "telegram", format: "html" },
  { platform: "telegram", format: "html", settings: { markup: "html" } },
  { platform: "telegram", format: "markdown" },
  { platform: "max", format: "html" },
  { platform: "max", format: "markdown" },
  // For comparison: a text that has to be cut.
  { platform: "telegram", format: "html", settings: { too_long: "split" }, units: 12_000 },
  { platform: "max", format: "html", settings: { too_long: "split" }, units: 12_000 },
  { platform: "max", format: "markdown", settings: { too_long: "split" }, units: 12_000 },
];

/** How long it takes to read a formatted post of 4,000 characters, and to compile it for each platform. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: "boolean", default: false }, runs: { type: "string" } },
  });
  const say = reporter(values.json);
  const runs = numberOf("runs", values.runs, 1_000);
  const figures = [
    ...(["html", "markdown"] as const).map((format) => ({
      what: `parse ${format}`,
      ...timed(runs, () => read(format)),
    })),
    ...targets.map((target) => ({ what: nameOf(target), ...timed(runs, compiling(target)) })),
    { what: "control: the document as JSON and back", ...timed(runs, control()) },
  ];
  say(
    table([
      ["ms", "median", "p95"],
      ...figures.map(({ what, median_ms, p95_ms }) => [what, median_ms, p95_ms]),
    ]),
  );
  if (values.json) console.log(JSON.stringify({ compile: figures }));
}

/** Posts have 4,000 units with their markup unless said otherwise. */
function read(format: Format, units = 4_000): Post {
  const parsed = parseContent(sourceOf(format, units), format);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return { document: parsed.document, format, media: [], buttons: [], options: {} };
}

function compiling({ platform, format, settings = {}, units }: Target): () => void {
  const post = read(format, units);
  const channel: ChannelProfile = { platform, targetId: "-1001", sendMode: "mixed", settings };
  return () => {
    const result = platformOf(platform).compile(post, channel);
    if (!result.ok) throw new Error(result.error.message);
  };
}

function nameOf({ platform, format, settings = {}, units }: Target): string {
  const details = [...Object.values(settings), ...(units ? [`${units} units`] : [])].join(", ");
  return `compile ${format} for ${platform}${details && ` (${details})`}`;
}

function control(): () => void {
  const post = read("html");
  return () => void JSON.parse(JSON.stringify(post));
}

/** Runs before the measured ones let the engine compile the code that is measured. */
function timed(runs: number, work: () => void): { median_ms: number; p95_ms: number } {
  for (let run = 0; run < runs / 2; run++) work();
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return { median_ms: rounded(median(times), 3), p95_ms: rounded(percentile(times, 0.95), 3) };
}
