import { z } from "zod";

type Way = "upload_required" | "url_allowed";

export const uploadPolicyDefault = {
  image: "upload_required",
  video: "upload_required",
  audio: "upload_required",
  file: "upload_required",
} as const satisfies Record<string, Way>;

type UploadPolicy = Record<keyof typeof uploadPolicyDefault, Way>;

/** `image=url_allowed,video=upload_required`; what is not named must be uploaded. */
export const uploadPolicy = z.string().transform((text, context): UploadPolicy => {
  let policy: UploadPolicy = uploadPolicyDefault;
  for (const pair of text.split(",").map((part) => part.trim())) {
    const [, kind, way] = /^(image|video|audio|file)=(upload_required|url_allowed)$/.exec(pair) ?? [];
    if (!kind) {
      context.addIssue(
        `must be pairs such as image=url_allowed, parted by commas; "${pair.slice(0, 60)}" is none`,
      );
      return z.NEVER;
    }
    if (way !== "url_allowed") continue;
    if (kind !== "image") {
      context.addIssue(`cannot allow addresses for ${kind}: MAX fetches only images by itself`);
      return z.NEVER;
    }
    policy = { ...policy, image: way };
  }
  return policy;
});
