import { ApiError } from "./api-error.ts";
import { limits } from "./limits.ts";
import type { Node, NodeElement, Options } from "./model.ts";
import type { Params } from "./params.ts";
import { isTag } from "./tags.ts";

/** The content of a page as it is stored; throws the refusal. */
export function contentOf(params: Params, options: Options): Node[] {
  const given = params.json("content");
  if (!given) throw new ApiError("CONTENT_REQUIRED");
  if (given.bytes > limits.contentBytes) throw new ApiError("CONTENT_TOO_BIG");
  if (!Array.isArray(given.value)) throw new ApiError("CONTENT_FORMAT_INVALID");
  const nodes = given.value.flatMap((node) => checked(node, options));
  if (textOf(nodes).trim() === "") throw new ApiError("CONTENT_TEXT_REQUIRED");
  return nodes;
}

/** The visible text, without line breaks between blocks. */
export function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node.children ?? []))).join("");
}

function checked(node: unknown, options: Options): Node[] {
  if (typeof node === "string") return [node];
  if (typeof node !== "object" || node === null || !("tag" in node) || typeof node.tag !== "string")
    throw new ApiError("CONTENT_FORMAT_INVALID");
  const given = "children" in node ? node.children : undefined;
  if (given !== undefined && !Array.isArray(given)) throw new ApiError("CONTENT_FORMAT_INVALID");
  const children = given?.flatMap((child: unknown) => checked(child, options));
  const attrs = attrsOf("attrs" in node ? node.attrs : undefined);
  const tag = node.tag.toLowerCase();
  if (!isTag(tag) || (tag === "iframe" && !embedShape.test(attrs?.src ?? ""))) {
    if (options.unknownTags === "refuse") throw new ApiError("CONTENT_FORMAT_INVALID");
    return children ?? [];
  }
  return [{ tag, ...(attrs && { attrs }), ...(children && { children }) }];
}

const embedShape = /^\/embed\/(?:youtube|vimeo|twitter|telegram)\?url=./;

/** Only `href` and `src` are kept. */
function attrsOf(given: unknown): NodeElement["attrs"] {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null) throw new ApiError("CONTENT_FORMAT_INVALID");
  const kept = Object.entries(given).filter(([name]) => name === "href" || name === "src");
  if (kept.some(([, value]) => typeof value !== "string")) throw new ApiError("CONTENT_FORMAT_INVALID");
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
