import { SeoProblem } from "../problems.ts";
import type { SourceName } from "../sources/result.ts";
import type { Sources } from "../sources/sources.ts";
import { missing } from "../sources/texts.ts";

/** Throws if the work could only fail because its source has no key: nothing is begun then. */
export function requireSource(sources: Pick<Sources, "isOn">, source: SourceName): void {
  if (!sources.isOn(source))
    throw new SeoProblem("part_off", missing(source, "off", "no key is set").message);
}
