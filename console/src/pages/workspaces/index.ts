export { WorkspacesPage } from "./workspaces-page.tsx";
