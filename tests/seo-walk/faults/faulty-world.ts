/** The walk's business with providers that fail on demand, and with nobody who waits before they try again. */
import type { FaultKind } from "../../../twins/index.ts";
import { type S3Twin, startS3Twin } from "../../../twins/s3/index.ts";
import { startWalking, type Walking } from "../walk-harness.ts";
import { hasten } from "./haste.ts";
import { objects } from "./provider-faults.ts";

/** Whoever asks them remembers their answers, and does not ask for a while who failed often. */
const remembered: ReadonlySet<string> = new Set([
  ...["openrouter", "openai", "dataforseo", "serper", "firecrawl", "pagespeed", "yandex"],
]);

export interface Calls {
  readonly providers: readonly string[];
  /** Of the object storage nobody keeps a journal. */
  readonly entries: readonly { readonly provider: string; readonly at: number }[];
}

export type FaultyWorld = Awaited<ReturnType<typeof startFaultyWorld>>;

const credentials = { accessKeyId: "walk", secretAccessKey: "walk-secret" };
const bucket = "walk-media";

export async function startFaultyWorld() {
  const s3 = await startS3Twin({ buckets: [bucket], credentials });
  const walking = await startWalking({
    ...{ S3_ENDPOINT: s3.url, S3_BUCKET: bucket, S3_FORCE_PATH_STYLE: "true" },
    ...{ S3_ACCESS_KEY_ID: credentials.accessKeyId, S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
    // As installations have them: what hangs is timed out soon here, and counted as it would be there.
    ...{ MOLVA_SEND_TIMEOUT_SECONDS: "30", MOLVA_SENDING_LEASE_SECONDS: "300" },
  });
  const { control } = walking.harness;
  const haste = hasten(walking.harness, { endpoint: s3.url, bucket, ...credentials });
  return {
    ...walking,
    /** How long a person would have waited for requests that hung the last time. */
    hungMs: haste.hungMs,
    /** The providers that were asked meanwhile, and when. */
    async callsDuring(work: () => Promise<unknown>): Promise<Calls> {
      await control("DELETE", "/journal");
      const before = s3.requests();
      await work();
      const { entries } = await control<{ entries: Calls["entries"] }>("GET", "/journal?limit=2000");
      const stored = s3.requests() > before ? [objects] : [];
      const providers = [...new Set([...entries.map(({ provider }) => provider), ...stored])].toSorted();
      return { providers, entries };
    },
    /** The providers answer like this until it is done. */
    async failing<T>(providers: readonly string[], fault: FaultKind, work: () => Promise<T>): Promise<T> {
      haste.afresh(providers.some((provider) => remembered.has(provider)));
      const atLeisure = fault.kind === "hang" ? haste.hurry(providers) : () => {};
      for (const provider of providers)
        if (provider === objects) breakObjects(s3, fault);
        else await control("POST", "/faults", { provider, fault });
      try {
        return await work();
      } finally {
        atLeisure();
        await mended(s3, control);
      }
    },
    async close() {
      await walking.close();
      await s3.close();
    },
  };
}

function breakObjects(s3: S3Twin, { kind }: FaultKind): void {
  if (kind === "hang") s3.hang(Number.POSITIVE_INFINITY);
  else s3.slowDown(Number.POSITIVE_INFINITY);
}

async function mended(s3: S3Twin, control: Walking["harness"]["control"]): Promise<void> {
  s3.slowDown(0);
  s3.hang(0);
  await control("DELETE", "/faults");
}
