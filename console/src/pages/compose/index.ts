export { ComposerPage } from "./composer-page.tsx";
export { DraftsPage } from "./drafts-page.tsx";
