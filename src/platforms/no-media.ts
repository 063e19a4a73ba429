import type { MediaSource } from "./contract.ts";

/** For senders whose posts have no media. */
export const noMedia: MediaSource = {
  async lend(media, _order, use) {
    if (media.length === 0) return { ok: true, value: await use([]) };
    const message = "has no source here";
    return { ok: false, fault: { place: 0, category: "PERMANENT", code: "media_missing_origin", message } };
  },
  known: async () => undefined,
};
