/** Accounts that people connect in the browser: a link, the provider's page, the callback. */
export {
  beginCredentialConsent,
  beginProductConsent,
  type ConsentDeps,
  type ConsentLink,
  consentGiven,
  forgetConsent,
} from "./begin-consent.ts";
export { consentRoutes } from "./consent-routes.ts";
