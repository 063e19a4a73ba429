import { refuse } from "../errors.ts";
import type { Max } from "../twin.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `GET /videos/{token}`: nothing to play until the video is processed. */
export function getVideo({ context, store }: Max, { params }: ApiCall): Reply {
  const media = store.media(params.token ?? "", "video");
  if (!media) throw refuse.notFound("Video");
  const playable = media.notReadySends === 0 && media.broken === undefined;
  return {
    body: {
      token: media.token,
      urls: playable ? { mp4_720: `${context.options.baseUrl}${media.blob.path}` } : null,
      thumbnail: null,
      width: media.width ?? 0,
      height: media.height ?? 0,
      duration: Math.round(media.seconds ?? 0),
    },
  };
}
