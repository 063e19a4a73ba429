import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { ownFiles } from "./files.ts";

const line = z.string().trim().min(1);

/** An imaginary business and the phrase that an article is written about. */
const briefSchema = z.strictObject({
  company: line,
  specialization: line,
  city: line,
  experience: line,
  advantages: line,
  description: line,
  phrase: line,
  secondary: z.array(line).min(1),
  prices: z.array(z.strictObject({ name: line, price: line })).min(1),
});
export type EvalBrief = z.infer<typeof briefSchema> & { readonly name: string };

/** The first so many of the fixed briefs, by name; of equal steps through all of them, so that few are still different niches. */
export function readBriefs(count: number): EvalBrief[] {
  const folder = ownFiles("briefs/");
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const wanted = Math.min(Math.ceil(count), names.length);
  return Array.from({ length: wanted }, (_, index) => {
    const name = names[Math.floor((index * names.length) / wanted)] ?? "";
    const read = briefSchema.safeParse(parse(readFileSync(new URL(name, folder), "utf8")));
    if (!read.success) throw new Error(`${name} is no brief: ${z.prettifyError(read.error)}`);
    return { ...read.data, name: name.replace(/\.yaml$/, "") };
  });
}
