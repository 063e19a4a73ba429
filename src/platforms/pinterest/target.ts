import type { TargetDefinition } from "../definition.ts";

const linkTo = "^(?:https?://)?(?:[a-z]{2,3}\\.)?pinterest\\.(?:com|ru|[a-z]{2,3}|co\\.uk|com\\.[a-z]{2})/";
const rest = "/?(?:[?#].*)?$";
const owner = "([a-z0-9_]{3,30})";
const board = "([^/?#@ ]+)";

/** A board's id, or `@owner/name` from its link until the id is known. */
export const target: TargetDefinition = {
  about: "Pinterest: the board's number or its link, of which the number is kept",
  rules: [
    { pattern: "^([0-9]{1,30})$", keep: "{1}" },
    {
      pattern: `${linkTo}pin/`,
      ignoreCase: true,
      fault: "This is the link of a Pin: open the board it shall stand on and copy the board's link.",
    },
    {
      pattern: "^(?:https?://)?pin\\.it/",
      ignoreCase: true,
      fault: "A short link does not say where it leads: open it and copy the board's link.",
    },
    {
      pattern: `${linkTo}${owner}/(?:_[a-z]+|pins|boards|created|saved)${rest}`,
      ignoreCase: true,
      fault: "This is the link of a profile: open one of its boards and copy its link.",
    },
    { pattern: `${linkTo}${owner}/${board}${rest}`, ignoreCase: true, keep: "@{1:lower}/{2}" },
    { pattern: `^@${owner}/${board}$`, ignoreCase: true, keep: "@{1:lower}/{2}" },
  ],
  otherwise:
    "Give the board's number, such as 549755885175, or its link https://www.pinterest.com/shop/summer/.",
};

/** A board for the API: its id, or its owner and the name that still has to be looked up. */
export function boardNamed(
  targetId: string,
): { readonly id: string } | { readonly owner: string; readonly name: string } {
  const plain = targetId.replace(/#\d+$/, "");
  const [, owner = "", name = ""] = /^@([^/]+)\/(.+)$/.exec(plain) ?? [];
  return owner === "" ? { id: plain } : { owner, name };
}
