export type { PageProps, WorkspacePageProps } from "./lazy-page.tsx";
export { LanguageMenu, ThemeMenu } from "./look-menus.tsx";
export { Shell } from "./shell.tsx";
