/** The audit of sign-ins, changes and readings: apart from delivery events, chained by hashes, with a retention of its own. */
export { actAs } from "./act-as.ts";
export { installationChain } from "./chains.ts";
export { type AuditFilter, type AuditRow, auditRowSchema, auditRows, placeInAudit } from "./entries.ts";
export { auditSettings } from "./environment.ts";
export { type ExportFormat, exportAudit, exportFormats } from "./export.ts";
export { type Finding, type Verdict, verdictSchema } from "./findings.ts";
export { audit, newestVerified } from "./module.ts";
export { type AuditActor, type AuditEntry, noteAudit } from "./note.ts";
export { setAuditRetention } from "./retention.ts";
export { acceptFindings, sealAgeNotice, sealAudit } from "./seal.ts";
export { verifyAudit } from "./verify.ts";
export { verifyExport } from "./verify-export.ts";
