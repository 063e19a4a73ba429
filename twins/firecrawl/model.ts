export interface KeptPage {
  readonly at: number;
  readonly data: Record<string, unknown>;
}

export interface Job {
  readonly id: string;
  /** How often it says `processing` before it ends. */
  polls: number;
  readonly status: "completed" | "failed";
  readonly data: unknown;
}

export interface SiteOptions {
  readonly pages?: number;
  readonly branding?: Record<string, unknown>;
  /** Replaces the page that is generated, by its path. */
  readonly markdown?: Readonly<Record<string, string>>;
}

export interface World {
  key: string;
  credits: number;
  /** Whether pages of one competitor give orders to language models. */
  hostile: boolean;
  sites: Record<string, SiteOptions>;
  jobs: Job[];
}

export const freshWorld = (): World => ({
  ...{ key: "fc-molva-demo-00000000000000000000000000000000", credits: 3_000, hostile: true },
  ...{ sites: {}, jobs: [] },
});
