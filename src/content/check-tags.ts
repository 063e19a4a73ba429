import { at } from "./clean-text.ts";
import { type ContentError, positionAt, type RepairLog } from "./problem.ts";

/** How deep elements may nest. Parsers recurse, and no reader needs more. */
export const deepest = 50;

/** Elements that are empty, or that HTML closes by itself. */
const closedByItself = new Set([
  ...["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"],
  ...["p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup"],
  ...["option", "optgroup", "rp", "rt", "html", "head", "body"],
]);

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly offset: number;
  readonly finished: boolean;
}

/**
 * Checks the tags of an HTML source before it is parsed. Parsers repair everything, and the repair of an unclosed tag is a
 * guess: `5<b` would lose text, `<b>` would make the rest of the post bold. Such a source is refused; a closing tag without an
 * opening one is harmless and only reported.
 */
export function checkTags(source: string, log: RepairLog): ContentError | undefined {
  const open: Tag[] = [];
  for (const tag of tagsOf(source)) {
    if (!tag.finished) return refusal("tag_unfinished", "a tag begins but does not end", source, tag.offset);
    if (closedByItself.has(tag.name)) continue;
    if (!tag.closing) {
      open.push(tag);
      if (open.length > deepest) {
        return refusal("nested_too_deeply", `tags lie more than ${deepest} deep`, source, tag.offset);
      }
      continue;
    }
    const last = open.at(-1);
    if (last?.name === tag.name) open.pop();
    else if (last && open.some((each) => each.name === tag.name)) return unclosed(last, source);
    else log.add("tag_dropped", tag.offset);
  }
  const last = open.at(-1);
  return last && unclosed(last, source);
}

function unclosed(tag: Tag, source: string): ContentError {
  return refusal("tag_unclosed", `<${tag.name}> is not closed`, source, tag.offset);
}

function refusal(code: ContentError["code"], what: string, source: string, offset: number): ContentError {
  const position = positionAt(source, offset);
  return { code, message: `${what}, ${at(position)}`, position };
}

/** Elements whose content is not parsed as tags. */
const rawText = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);

/** Elements that `/>` closes. */
const foreign = new Set(["svg", "math"]);

/** A tag with its attributes, whose quoted values may hold `>`; or a comment; or the beginning of either. */
const tagShape =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<(\/?)([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)(>?)/g;

function* tagsOf(source: string): Generator<Tag> {
  const lowerCase = source.toLowerCase();
  let skipUntil = 0;
  for (const found of source.matchAll(tagShape)) {
    if (found.index < skipUntil) continue;
    const [, slash, name, attributes = "", end] = found;
    if (name === undefined) continue;
    const tag = {
      name: name.toLowerCase(),
      closing: slash === "/",
      offset: found.index,
      finished: end === ">",
    };
    yield tag;
    if (foreign.has(tag.name) && attributes.endsWith("/")) yield { ...tag, closing: true };
    if (!tag.closing && rawText.has(tag.name)) {
      const close = lowerCase.indexOf(`</${tag.name}`, found.index);
      skipUntil = close < 0 ? source.length : close;
    }
  }
}
