import type { TargetDefinition } from "../definition.ts";

const linkTo = "^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/";
const number = "-?([1-9][0-9]{0,14})";
const rest = "(?:[/?#].*)?$";
const name = "([a-z][a-z0-9_.]{2,31})";

const person = "Molva posts on walls of communities: give the community's number or link, not a person's.";

/** A community's number without its minus, or its short name with `@` until the number is known. */
export const target: TargetDefinition = {
  about:
    "VK: the community's number, with or without its minus, its short name with `@`, or its link, of which the number is kept",
  rules: [
    { pattern: `^${number}$`, keep: "{1}" },
    { pattern: `^(?:club|public|event)${number}$`, ignoreCase: true, keep: "{1}" },
    { pattern: `${linkTo}(?:club|public|event)([1-9][0-9]{0,14})${rest}`, ignoreCase: true, keep: "{1}" },
    { pattern: `${linkTo}wall-([1-9][0-9]{0,14})(?:_[0-9]+)?${rest}`, ignoreCase: true, keep: "{1}" },
    { pattern: `(?:${linkTo}|^@?)(?:id|wall)[0-9]+(?:_[0-9]+)?${rest}`, ignoreCase: true, fault: person },
    {
      pattern: `${linkTo}(?:feed|im|groups|friends|albums|video|audios?|market|login)${rest}`,
      ignoreCase: true,
      fault: "This page of VK is no community: open the community and copy the link of its page.",
    },
    { pattern: `${linkTo}@?${name}${rest}`, ignoreCase: true, keep: "@{1:lower}" },
    { pattern: `^@${name}$`, ignoreCase: true, keep: "@{1:lower}" },
  ],
  otherwise:
    "Give the community's number, such as 123456 or -123456, its short name @shop or its link https://vk.com/shop.",
};

/** A community for the API: its number, or the short name that still has to be looked up. */
export function communityOf(targetId: string): { readonly id: number } | { readonly name: string } {
  const plain = targetId.replace(/#\d+$/, "");
  const id = /^-?(\d+)$/.exec(plain)?.[1];
  return id === undefined ? { name: plain.replace(/^@/, "") } : { id: Number(id) };
}
