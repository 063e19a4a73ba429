export { locale, type Theme, theme, themes, workspaceId } from "./choices.ts";
export { type Locale, locales } from "./locale.ts";
