import { createHash } from "node:crypto";
import { escapeHtml } from "../pull/html/escape-html.ts";
import { filled, type Language, sentences } from "./consent-words.ts";
import type { ConsentEnd } from "./end-consent.ts";

const style = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f5f5f4; color: #1c1917; font: 17px/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 1.5rem; padding: 2rem; background: #fff; border-radius: 1rem; box-shadow: 0 1px 12px rgb(0 0 0 / 10%); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
code { font-size: .85rem; overflow-wrap: anywhere; }
.button { display: inline-block; padding: .6rem 1.1rem; border-radius: .6rem; background: #1c1917; color: #fff; text-decoration: none; }
@media (prefers-color-scheme: dark) { body { background: #1c1917; color: #f5f5f4; } main { background: #292524; } .button { background: #f5f5f4; color: #1c1917; } }
`;

/** Allows only this page's own style, because the page shows text from a provider. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`;

export const statusOf: Readonly<Record<ConsentEnd["kind"], number>> = {
  forged: 403,
  expired: 410,
  used: 409,
  denied: 400,
  failed: 400,
  unavailable: 503,
  not_configured: 503,
  connected: 200,
  handed_over: 302,
};

/** The page at the end of a visit. Pure. */
export function consentPage(end: ConsentEnd, platform: string, language: Language): string {
  const words = sentences[language];
  const facts = {
    platform: platform.charAt(0).toUpperCase() + platform.slice(1),
    reason: "reason" in end ? end.reason : "",
    name: "authRef" in end ? end.authRef : "",
  };
  const say = (text: string) => escapeHtml(filled(text, facts));
  const { title, text } = words[end.kind];
  const next = [
    ...("retry" in end ? [button(end.retry, words.again)] : []),
    ...(end.kind === "handed_over" ? [button(end.deepLink, words.toBot)] : []),
    ...(end.kind === "connected" ? [placesOf(end, platform, language)] : []),
  ];
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say(title)}</title>
<style>${style}</style>
<main><h1>${say(title)}</h1><p>${say(text)}</p>${next.join("")}</main>
</html>
`;
}

const button = (url: string, text: string) =>
  `<p><a class="button" href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;

function placesOf(
  { authRef, places }: Extract<ConsentEnd, { kind: "connected" }>,
  platform: string,
  language: Language,
): string {
  const { boards, noBoards } = sentences[language];
  if (places.length === 0) return `<p>${escapeHtml(noBoards)}</p>`;
  const lines = places.map(({ targetId, title }) => {
    const command = `molva channel add ${platform} ${targetId} --auth ${authRef}`;
    return `<li>${escapeHtml(title)}<br><code>${escapeHtml(command)}</code></li>`;
  });
  return `<p>${escapeHtml(boards)}</p><ul>${lines.join("")}</ul>`;
}
