export { OverviewPage } from "./overview-page.tsx";
export { channelChoice } from "./recover-choices.ts";
export { RecoverDialog } from "./recover-dialog.tsx";
