/**
 * Renders raw text as a theme does: blocks without their comments, automatic paragraphs, and typographic characters.
 */
export function renderContent(raw: string): string {
  if (/<!-- wp:/.test(raw)) return withoutBlockComments(raw);
  return raw === "" ? "" : `${paragraphs(texturizeHtml(raw))}\n`;
}

export function renderTitle(raw: string): string {
  return texturizeHtml(raw);
}

export function renderExcerpt(excerpt: string, content: string): string {
  if (excerpt !== "") return `<p>${texturizeHtml(excerpt.trim())}</p>\n`;
  const words = plainText(renderContent(content)).split(" ").filter(Boolean);
  if (words.length === 0) return "";
  const cut = words.slice(0, excerptWords).join(" ");
  return `<p>${words.length > excerptWords ? `${cut} [&hellip;]` : cut}</p>\n`;
}

const excerptWords = 55;

export function plainText(html: string): string {
  return pieces(html)
    .map((piece) => (piece.startsWith("<") ? " " : piece))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function withoutBlockComments(html: string): string {
  return html
    .split("<!--")
    .map((part, index) => {
      if (index === 0) return part;
      const end = part.indexOf("-->");
      const isBlock = end >= 0 && /^\s\/?wp:/.test(part);
      return isBlock ? part.slice(end + "-->".length) : `<!--${part}`;
    })
    .join("");
}

/** Tags and the text between them; a script or a style is one piece with its content. */
function pieces(html: string): string[] {
  const found: string[] = [];
  let silent: string | undefined;
  for (const piece of html.split(/(<[^<>]*>)/)) {
    if (silent !== undefined) {
      found.push(`${found.pop() ?? ""}${piece}`);
      if (piece.toLowerCase() === silent) silent = undefined;
      continue;
    }
    found.push(piece);
    const name = /^<(script|style)\b/i.exec(piece)?.[1];
    if (name) silent = `</${name.toLowerCase()}>`;
  }
  return found;
}

const isBlock =
  /^<\/?(?:address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figure|figcaption|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|script|section|style|summary|table|ul|video)\b/i;
const blockEnd = /(<\/(?:h[1-6]|p|ul|ol|figure|table|blockquote|pre|div)>)/gi;

function paragraphs(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(blockEnd, "$1\n\n")
    .split(/\n{2,}/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "")
    .map((piece) => (isBlock.test(piece) ? piece : `<p>${piece.replaceAll("\n", "<br />\n")}</p>`))
    .join("\n");
}

/** Only text between tags is changed. */
function texturizeHtml(html: string): string {
  return pieces(html)
    .map((piece) => (piece.startsWith("<") ? piece : texturize(piece)))
    .join("");
}

function texturize(text: string): string {
  return text
    .replace(/&(?!#?[a-zA-Z0-9]{1,8};)/g, "&#038;")
    .replaceAll("...", "&#8230;")
    .replaceAll("---", "&#8212;")
    .replaceAll(" -- ", " &#8212; ")
    .replaceAll("--", "&#8211;")
    .replaceAll(" - ", " &#8211; ")
    .replace(/(^|[\s([{])"/g, "$1&#8220;")
    .replaceAll('"', "&#8221;")
    .replace(/(^|[\s([{])'/g, "$1&#8216;")
    .replaceAll("'", "&#8217;");
}
