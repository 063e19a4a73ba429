import type { TargetDefinition } from "../definition.ts";

const scheme = "^(?:https?://)?";
const host = "((?:[^/?#@:. ]+\\.)+[^/?#@:. ]+(?::[0-9]{1,5})?|localhost(?::[0-9]{1,5})?)";
const path = "((?:/[^/?#@ ]+)*)";

/** A site's address without its scheme; it must be the address in its credential. */
export const target: TargetDefinition = {
  about:
    "WordPress: the site's address, as its credential names it, such as `example.com` or `example.com/blog`",
  rules: [
    {
      pattern: `${scheme}${host}${path}/(?:wp-admin|wp-json|wp-login\\.php|index\\.php)(?:[/?#].*)?$`,
      ignoreCase: true,
      keep: "{1:lower}{2}",
    },
    { pattern: `${scheme}${host}${path}/*(?:[?#].*)?$`, ignoreCase: true, keep: "{1:lower}{2}" },
  ],
  otherwise: "Give the site's address, such as https://example.com or https://example.com/blog.",
};
