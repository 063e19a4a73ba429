import type { NamedFiles } from "../kernel/backup/index.ts";

/** Files that must be there: media that was stored, and payloads that have not expired and are not on their way. */
export const deliveryFiles: readonly NamedFiles[] = [
  {
    name: "media of posts",
    query:
      "select substr(origin_url, 9) from delivery.media_origin where origin_url like 'storage:%' and fetched_at is not null",
  },
  {
    name: "raw payloads",
    query:
      "select storage_key from delivery.payloads where expires_at > clock_timestamp() and created_at < clock_timestamp() - interval '1 minute'",
  },
];
