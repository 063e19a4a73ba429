import type { Block, Document } from "./document.ts";

/** Indexes of the media that are shown inside the text, in order. */
export function shownMedia({ blocks }: Document): number[] {
  return blocks.flatMap(mediaIn);
}

function mediaIn(block: Block): number[] {
  if (block.type === "image") return [block.media];
  if (block.type === "quote" || block.type === "contents") return block.blocks.flatMap(mediaIn);
  if (block.type === "list") return block.items.flatMap(({ blocks }) => blocks.flatMap(mediaIn));
  return [];
}
