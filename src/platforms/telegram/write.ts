import type { LossLog, MarkedText } from "../../content/index.ts";
import type { Rules } from "../channel-settings.ts";
import { type Entity, entitiesOf } from "./entities.ts";
import { htmlOf } from "./html.ts";
import { rawTextBytes } from "./limits.ts";

/** A text ready for Telegram: what a reader sees, and its formatting as entities or HTML. */
export interface Written {
  readonly text: string;
  readonly entities: readonly Entity[];
  /** Text with formatting, for channels that send HTML. */
  readonly html?: string;
}

export function write(marked: MarkedText, { markup }: Pick<Rules, "markup">, losses: LossLog): Written {
  const { text } = marked;
  const entities = entitiesOf(marked, losses);
  return { text, entities, ...(markup === "html" && { html: htmlOf(text, entities) }) };
}

/** Why a text does not fit into a field of `limit` units, or undefined. */
export function overflowOf({ text, html }: Written, limit: number): Overflow | undefined {
  if (text.length > limit) return { unit: "UTF-16 units", length: text.length, limit };
  const bytes = html === undefined ? 0 : Buffer.byteLength(html);
  return bytes > rawTextBytes ? { unit: "bytes of HTML", length: bytes, limit: rawTextBytes } : undefined;
}

export interface Overflow {
  readonly unit: string;
  readonly length: number;
  readonly limit: number;
}

export function textFields({ text, entities, html }: Written): Record<string, unknown> {
  if (html !== undefined) return { text: html, parse_mode: "HTML" };
  return { text, ...(entities.length > 0 && { entities }) };
}

export function captionFields(caption: Written | undefined): Record<string, unknown> {
  if (!caption) return {};
  const { text, entities, html } = caption;
  if (html !== undefined) return { caption: html, parse_mode: "HTML" };
  return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}
