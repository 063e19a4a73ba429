import { z } from "zod";
import { defaultUploadPolicy, type UploadPolicy } from "./upload-policy.ts";

/** `image=url_allowed,video=upload_required`; types that are not named must be uploaded. */
export const readUploadPolicy = z.string().transform((text, context): UploadPolicy => {
  let policy: UploadPolicy = defaultUploadPolicy;
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
