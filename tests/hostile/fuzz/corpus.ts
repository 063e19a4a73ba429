import { readdirSync, readFileSync } from "node:fs";

/** The stored inputs, by folder: every input that ever broke something becomes a file there. */
export function corpus(folder: string): [name: string, bytes: Buffer][] {
  const place = new URL(`corpus/${folder}/`, import.meta.url);
  return readdirSync(place).map((name) => [name, readFileSync(new URL(name, place))]);
}
