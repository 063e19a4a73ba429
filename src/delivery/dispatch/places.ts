/** How many of the dispatcher's places each workspace holds. */
export interface Places {
  take(workspaceId: string, count: number): void;
  give(workspaceId: string, count: number): void;
  of(workspaceId: string): number;
  taken(): number;
}

export function createPlaces(): Places {
  const held = new Map<string, number>();
  let all = 0;
  const of = (workspaceId: string) => held.get(workspaceId) ?? 0;

  function change(workspaceId: string, by: number): void {
    all += by;
    const now = of(workspaceId) + by;
    if (now > 0) held.set(workspaceId, now);
    else held.delete(workspaceId);
  }

  return {
    take: (workspaceId, count) => change(workspaceId, count),
    give: (workspaceId, count) => change(workspaceId, -count),
    of,
    taken: () => all,
  };
}
