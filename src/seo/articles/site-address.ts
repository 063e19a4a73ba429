import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { readConnection } from "../connections/connections.ts";
import { siteUrlOf } from "../connections/site-url.ts";
import type { Whose } from "../people/whose.ts";
import type { Project } from "../projects/shape.ts";

/** The site that an article is for: that of the connection, else that of the project; null if there is none. */
export async function siteAddress(
  sql: Sql | Transaction,
  whose: Whose,
  project: Pick<Project, "website_url">,
  connectionId: number | null,
): Promise<string | null> {
  const connection = connectionId === null ? undefined : await readConnection(sql, whose, connectionId);
  return connection?.platform_type === "wordpress" ? siteUrlOf(connection.identifier) : project.website_url;
}
