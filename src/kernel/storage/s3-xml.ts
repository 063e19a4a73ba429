/** Reads the two kinds of XML that S3 returns here. They are flat and machine-made, so no parser is needed. */
import type { ListedObject } from "./object-storage.ts";

export interface ListPage {
  readonly objects: readonly ListedObject[];
  readonly next?: string;
}

export function readListPage(xml: string): ListPage {
  const objects = xml
    .split("<Contents>")
    .slice(1)
    .map((inside) => ({ key: textOf(inside, "Key"), size: Number(textOf(inside, "Size")) }));
  return textOf(xml, "IsTruncated") === "true"
    ? { objects, next: textOf(xml, "NextContinuationToken") }
    : { objects };
}

/** The code and message of an error; empty when a proxy returned something else. */
export function readError(xml: string): { code: string; message: string } {
  return { code: textOf(xml, "Code"), message: textOf(xml, "Message") };
}

function textOf(xml: string, name: string): string {
  const [, text = ""] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return unescapeXml(text);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return entities[name] ?? whole;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
