import { z } from "zod";

/** What can be wrong with a chain, an export or a seal. */
export const findingKinds = {
  missing: "entries are gone",
  changed: "the entry is not what was written",
  unlinked: "the entry does not continue the one before it: one of both was replaced",
  added: "the entry is beyond the recorded end of its chain",
  rewritten: "the chain is not the one that was sealed: it was written anew",
  seal_missing: "every seal was removed",
  seal_invalid: "no encryption key has signed the seal: it was altered, or its key was removed",
  malformed: "the line is no entry of an export",
  incomplete: "the file ends before its last line",
  altered: "the file is not the one that was exported",
} as const;
export type FindingKind = keyof typeof findingKinds;

export const findingSchema = z.object({
  finding: z.enum(Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]),
  workspace_id: z.uuid().nullable().describe("null: the installation itself, or no single chain"),
  seq: z.int().nullable().describe("The first entry that is meant; null: none in particular"),
  until_seq: z.int().nullable().describe("The last one"),
  says: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

export const verdictSchema = z
  .object({
    ok: z.boolean(),
    entries: z.int().describe("How many were checked"),
    chains: z.int(),
    sealed_at: z.string().nullable().describe("When the ends of the chains were last signed"),
    accepted: z.int().describe("Findings that an administrator has looked at and accepted"),
    findings: z.array(findingSchema),
  })
  .meta({ id: "AuditVerdict" });
export type Verdict = z.infer<typeof verdictSchema>;

export function findingOf(
  finding: FindingKind,
  workspaceId: string | null,
  place: { readonly seq?: number | null; readonly until?: number | null; readonly detail?: string } = {},
): Finding {
  const { seq = null, until = seq, detail } = place;
  const whose = workspaceId === null ? "installation" : `workspace ${workspaceId}`;
  const where =
    seq === null
      ? ""
      : `${whose}, entr${until === seq || until === null ? `y ${seq}` : `ies ${seq} to ${until}`}: `;
  return {
    finding,
    workspace_id: workspaceId,
    seq,
    until_seq: until,
    says: `${where}${findingKinds[finding]}${detail ? ` (${detail})` : ""}`,
  };
}

/** Names a finding, to recognise one that was accepted. */
export function nameOf({ finding, workspace_id, seq, until_seq }: Finding): string {
  return [workspace_id ?? "installation", seq, until_seq, finding].join(":");
}
