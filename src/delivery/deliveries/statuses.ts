/** The statuses of a delivery: live ones, then ended ones. */
export const liveStatuses = ["queued", "claimed", "sending", "retry"] as const;
export const endedStatuses = ["sent", "deduped", "failed_permanent", "dead"] as const;
export const statuses = [...liveStatuses, ...endedStatuses] as const;

export type Status = (typeof statuses)[number];

export function isLive(status: Status): boolean {
  return liveStatuses.some((live) => live === status);
}
