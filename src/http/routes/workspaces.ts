/** A workspace as the console's switcher shows it; the composition root says where they come from. */
export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export type ListWorkspaces = () => Promise<readonly WorkspaceSummary[]>;
