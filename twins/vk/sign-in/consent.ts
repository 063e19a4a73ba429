import type { FastifyReply } from "fastify";
import { type Consent, consentPage, consentStyle, html, sendPage } from "../../shared/index.ts";

export const vkLogo = html`<svg width="56" height="56" viewBox="0 0 56 56" aria-label="VK"><rect width="56" height="56" rx="16" fill="#07f"/>
<path d="M30 39.4C17.7 39.4 10.700 31 10.400 17h6.200c.2 10.300 4.700 14.600 8.300 15.500V17h5.800v8.900c3.500-.4 7.200-4.400 8.500-8.900h5.800c-1 5.500-5 9.500-7.900 11.200 2.900 1.300 7.500 4.900 9.200 11.200h-6.400c-1.400-4.300-4.800-7.600-9.200-8.100v8.100z" fill="#fff"/></svg>`;

const style = consentStyle("#0077ff");

export function showConsent(reply: FastifyReply, consent: Consent): FastifyReply {
  return sendPage(reply, { title: consent.heading, style, body: consentPage(consent), form: true });
}

/** Shown only to the person. */
export function showFault(reply: FastifyReply, fault: string): FastifyReply {
  const body = html`<main class="consent"><div class="logo">${vkLogo}</div><h1>Ошибка авторизации</h1>
<p class="lead">${fault}</p></main>`;
  return sendPage(reply, { title: "Ошибка авторизации", style, body, status: 400 });
}
