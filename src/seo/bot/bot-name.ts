/** Also the `auth_ref` of its token. */
export const botName = "seo-bot";
