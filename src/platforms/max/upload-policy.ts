import type { UploadType } from "./limits.ts";

/** Whether a file must be uploaded by us or may be fetched by MAX from its address. Only images can be fetched. */
export type UploadPolicy = Readonly<Record<UploadType, "upload_required" | "url_allowed">>;

export const defaultUploadPolicy: UploadPolicy = {
  image: "upload_required",
  video: "upload_required",
  audio: "upload_required",
  file: "upload_required",
};
