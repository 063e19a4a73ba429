/**
 * Finds style sheets and structured data that readers see as text: sites that do not allow `<style>` and `<script>` remove the
 * tags and leave their content. WordPress also turns straight quotes into typographic ones, so any kind of quote is accepted.
 */
export function codeIn(block: string): "css" | "json" | undefined {
  if (looksLikeJson(block)) return "json";
  return looksLikeCss(block) ? "css" : undefined;
}

const quotes = /[«»‘’‚‛“”„‟′″＂]/g;

/** A key in quotes, a colon and the beginning of a value, after a brace or a comma. */
const jsonMember = /[{,]\s?"[@$\w-]{1,60}"\s?:\s?["[{\dtfn-]/;

function looksLikeJson(text: string): boolean {
  return jsonMember.test(text.replace(quotes, '"'));
}

/** `property: value` up to the next semicolon; blanks have been collapsed before. */
const declaration = /^\s?[-–—]{0,2}[a-z][a-z-]{1,40}\s?:\s?[^\s;:][^;]{0,200}$/i;

/** A selector, and only declarations between the braces. */
function looksLikeCss(text: string): boolean {
  return text.split("}").some((rule) => {
    const open = rule.lastIndexOf("{");
    if (open < 0 || !selector.test(rule.slice(Math.max(0, open - 120), open))) return false;
    const declarations = rule
      .slice(open + 1)
      .split(";")
      .filter((each) => each.trim() !== "");
    return declarations.length > 0 && declarations.every((each) => declaration.test(each));
  });
}

/** The end of a selector: a name, a class, an id, an attribute or the parameters of a rule such as `@media`. */
const selector = /[\w\])*-]\s?$/;
