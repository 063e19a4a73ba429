/**
 * Secrets and personal data that a text shows, replaced: an error may quote the address, the header or the answer it is about.
 * The kinds are those of `workspaces.redact_text`, which does the same for events.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const known = secrets.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
  return rules
    .reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), known)
    .replace(longRun, (run) => (looksRandom(run) ? "[secret]" : run));
}

const rules: readonly (readonly [RegExp, string])[] = [
  // https://user:password@host
  [/:\/\/[^/\s@?#[\]]+@/g, "://[secret]@"],
  // Bot tokens, JSON web tokens, and tokens that say whose they are.
  [/(?<!\d)\d{6,}:[\w-]{20,}/g, "[secret]"],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, "[secret]"],
  [
    /(?<![\w-])(?:mlv_|sk[-_]|rk_|gh[pousr]_|github_pat_|xox[abprs]-|glpat-|AIza|AKIA|ya29\.|y0_|vk1\.a\.|pina_)[\w-]{12,}/g,
    "[secret]",
  ],
  [/(?<![\w-])whsec_[\w+/=-]{12,}/g, "[secret]"],
  [
    /\b(authorization["']?[:=] ?["']?)(?:(?:bearer|basic|token|oauth|digest) )?[\w.~+/=-]{4,}/gi,
    "$1[secret]",
  ],
  [/\b(bearer )[\w.~+/=-]{8,}/gi, "$1[secret]"],
  // name=value of a query or a form; name: value only where the value is no word of a sentence.
  [
    /((?:token|secret|passwd|password|passphrase|api[_-]?key|access[_-]?key|signature|cookie|session_?id|\bsig|\bpwd)["']?=["']?)[^\s"'&,;<>[\](){}]{4,}/gi,
    "$1[secret]",
  ],
  [
    /((?:token|secret|passwd|password|passphrase|api[_-]?key|access[_-]?key|cookie|session_?id|\bpwd)["']?: ?["']?)(?=[^\s"'&,;<>[\](){}\d]{0,40}\d)[^\s"'&,;<>[\](){}]{6,}/gi,
    "$1[secret]",
  ],
  [/(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu, "[email]"],
  [/(?<![\dA-Za-z])\+[1-9](?:[ ().-]{0,2}\d){7,14}(?!\d)/g, "[phone]"],
];

const longRun = /(?<![\w+/-])[\w+/-]{32,}/g;

/** What no word, slug, path or UUID looks like. */
function looksRandom(run: string): boolean {
  if (/^[0-9a-f]{40,}$/i.test(run)) return /\d/.test(run) && /[a-f]/i.test(run);
  const changes = run.match(/[A-Za-z]\d/g)?.length ?? 0;
  const slashes = run.split("/").length - 1;
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && changes >= 3 && slashes * 20 <= run.length;
}
