/** Reads pages back after they were published, and tells search engines of those without errors. */
export { findingInWords, type PageErrorCode, type PageFinding, pageErrors } from "./findings.ts";
export {
  dropIndexNow,
  type IndexNowKey,
  type IndexNowKeyDeps,
  readIndexNowKey,
  setUpIndexNow,
} from "./indexnow/indexnow-key.ts";
export { followPage, pageTask, type ReadBackDeps, wakePages } from "./page-task.ts";
