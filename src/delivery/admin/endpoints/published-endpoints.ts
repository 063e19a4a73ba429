import { publishedHashes } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";

export interface PublishedEndpoint {
  readonly endpoint_id: string;
  readonly kind: string;
  readonly name: string | null;
  readonly workspace: string;
}

/** Enabled endpoints of all workspaces whose secret is printed in the documents, where anybody can read it. */
export function endpointsWithPublishedSecrets(sql: Sql): Promise<PublishedEndpoint[]> {
  return sql<PublishedEndpoint[]>`
    select e.endpoint_id, e.kind, e.meta ->> 'name' as name, w.name as workspace
    from delivery.workspace_endpoints e join workspaces.workspaces w using (workspace_id)
    where e.enabled and e.secret_hash = any (${[...publishedHashes]})
    order by e.endpoint_id`;
}
