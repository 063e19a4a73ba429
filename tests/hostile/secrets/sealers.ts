/** Each file of `src` that encrypts, with the stores of the registry where the tokens are kept, or the reason why they are not. */
export const sealers: Readonly<
  Record<string, { readonly stores: readonly string[] } | { readonly keptNowhere: string }>
> = {
  "http/operators/second-factor/factors.ts": { stores: ["second factors of operators"] },
  "workspaces/credentials/secrets.ts": { stores: ["credentials and other secrets"] },
  "workspaces/credentials/accounts.ts": { stores: ["credentials and other secrets"] },
  "accounts/sessions/session-values.ts": { stores: ["sessions of accounts"] },
  "accounts/login/account-proxies.ts": { stores: ["proxies of accounts"] },
  "accounts/login/login-attempts.ts": { stores: ["sign-ins under way"] },
  "delivery/payloads/payload-store.ts": { stores: ["raw payloads"] },
  "delivery/payloads/payload-link.ts": { keptNowhere: "part of an address that works for ten minutes" },
  "delivery/consent/consent-store.ts": { stores: ["accounts being connected"] },
  "seo/previews/telegraph-token.ts": { stores: ["Telegraph token of previews"] },
  "seo/bot/connections/connecting.ts": {
    stores: [
      "typed to SEO Master's bot: wordpress password",
      "typed to SEO Master's bot: vk token",
      "typed to SEO Master's bot: telegram token",
    ],
  },
};
