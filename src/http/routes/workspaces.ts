/** A workspace in the console's switcher; the composition root says where they come from. */
export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export type ListWorkspaces = () => Promise<readonly WorkspaceSummary[]>;
