export { LanguageMenu, ThemeMenu } from "./look-menus.tsx";
export type { PageProps } from "./sections.ts";
export { Shell } from "./shell.tsx";
