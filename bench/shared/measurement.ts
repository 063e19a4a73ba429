import { percentile, rounded } from "./figures.ts";
import { numberOf, parseArgs, reporter } from "./options.ts";
import { type Server, startServer } from "./postgres.ts";
import { table } from "./table.ts";

export interface Run<Name extends string> {
  readonly server: Server;
  readonly say: (text: string) => void;
  readonly numbers: Readonly<Record<Name, number>>;
}

/** A result, under the sentence that it answers. */
export interface Finding {
  readonly name: string;
  readonly title: string;
  readonly figures: Readonly<Record<string, string | number>>;
}

/** A measurement from its options to its tables: `defaults` are the numbers that the command line may set. */
export async function measure<Name extends string>(
  args: string[],
  defaults: Readonly<Record<Name, number>>,
  work: (run: Run<Name>) => Promise<readonly Finding[]>,
): Promise<void> {
  const names = Object.keys(defaults) as Name[];
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
    },
  });
  const json = values.json === true;
  const say = reporter(json);
  const given: Readonly<Record<string, unknown>> = values;
  const numbers = Object.fromEntries(
    names.map((name) => [name, numberOf(name, textOf(given[name]), defaults[name])]),
  ) as Record<Name, number>;
  const server = await startServer();
  try {
    const findings = await work({ server, say, numbers });
    for (const { title, figures } of findings) say(`\n${table([[title, ""], ...Object.entries(figures)])}`);
    if (json)
      console.log(JSON.stringify(Object.fromEntries(findings.map(({ name, figures }) => [name, figures]))));
  } finally {
    await server.stop();
  }
}

const textOf = (given: unknown) => (typeof given === "string" ? given : undefined);

/** How long requests took, in milliseconds. */
export function spread(latencies: readonly number[]) {
  return {
    p50: rounded(percentile(latencies, 0.5)),
    p99: rounded(percentile(latencies, 0.99)),
    max: rounded(Math.max(...latencies)),
    requests: latencies.length,
  };
}
