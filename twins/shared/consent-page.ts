import { type Html, html } from "./html-page.ts";

/** What a person is asked before a program gets access. */
export interface Consent {
  /** The network's logo, as HTML. */
  readonly logo: Html;
  readonly heading: string;
  readonly lead: string;
  readonly asks: readonly string[];
  readonly chooseAccount: string;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly detail: string }[];
  readonly nobody: string;
  readonly allow: string;
  readonly deny: string;
}

/** The form is sent to its own address, with `account` and `decision` (`allow` or `deny`). */
export function consentPage(consent: Consent): Html {
  const { accounts } = consent;
  return html`<main class="consent"><div class="logo">${consent.logo}</div>
<h1>${consent.heading}</h1><p class="lead">${consent.lead}</p>
<ul>${consent.asks.map((ask) => html`<li>${ask}</li>`)}</ul>
<form method="post">
${accounts.length === 0 && html`<p class="nobody">${consent.nobody}</p>`}
${
  accounts.length > 0 &&
  html`<fieldset><legend>${consent.chooseAccount}</legend>${accounts.map(
    ({ id, name, detail }, index) =>
      html`<label><input type="radio" name="account" value="${id}"${index === 0 && html` checked`}>
<span class="face">${[...name].slice(0, 1).join("").toUpperCase()}</span><span><b>${name}</b><small>${detail}</small></span></label>`,
  )}</fieldset>`
}
<div class="choice"><button class="allow" name="decision" value="allow"${accounts.length === 0 && html` disabled`}>${consent.allow}</button>
<button name="decision" value="deny">${consent.deny}</button></div></form></main>`;
}

/** `accent` is the network's colour. */
export const consentStyle = (accent: string): string => `
:root { --accent: ${accent}; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f0f1f4; color: #111;
  font: 16px/1.45 system-ui, "Noto Sans", sans-serif; padding: 24px; }
.consent { width: 100%; max-width: 440px; background: #fff; border-radius: 28px; padding: 36px 36px 28px;
  box-shadow: 0 12px 40px rgb(20 20 40 / 12%); }
.logo { display: flex; justify-content: center; margin-bottom: 18px; }
h1 { font-size: 24px; line-height: 1.25; text-align: center; margin: 0 0 8px; text-wrap: balance; }
.lead { text-align: center; color: #5f6368; margin: 0 0 20px; text-wrap: balance; }
ul { list-style: none; margin: 0 0 22px; padding: 16px 18px; background: #f6f7f9; border-radius: 16px; display: grid; gap: 10px; }
li { padding-left: 28px; position: relative; }
li::before { content: "✓"; position: absolute; left: 2px; color: var(--accent); font-weight: 700; }
fieldset { border: 0; padding: 0; margin: 0 0 24px; display: grid; gap: 8px; }
legend { font-size: 13px; color: #5f6368; margin-bottom: 8px; padding: 0; }
label { display: flex; align-items: center; gap: 12px; padding: 10px 14px; border: 1.5px solid #e3e5e8; border-radius: 16px; cursor: pointer; }
label:has(:checked) { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 5%, white); }
input { accent-color: var(--accent); width: 18px; height: 18px; margin: 0; }
.face { width: 40px; height: 40px; border-radius: 50%; background: var(--accent); color: #fff; display: grid; place-items: center;
  font-weight: 700; flex: none; }
small { display: block; color: #5f6368; font-size: 13px; }
.choice { display: grid; gap: 10px; }
button { font: inherit; font-weight: 600; border: 0; border-radius: 24px; padding: 13px 20px; background: #e9ebee; color: #111; cursor: pointer; }
button.allow { background: var(--accent); color: #fff; }
button:hover { filter: brightness(.95); }
button:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, white); outline-offset: 2px; }
button:disabled { opacity: .45; cursor: not-allowed; }
.nobody { color: #5f6368; }
`;
