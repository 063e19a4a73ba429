import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "./request.ts";
import { overview } from "./shapes.ts";

/** The state of one workspace, read again every two seconds while the page is visible. */
export function useOverview(workspaceId: string) {
  return useQuery({
    queryKey: ["overview", workspaceId],
    queryFn: ({ signal }) =>
      ask(`/overview?workspace_id=${encodeURIComponent(workspaceId)}`, overview, { signal }),
    refetchInterval: 2_000,
    placeholderData: keepPreviousData,
  });
}
