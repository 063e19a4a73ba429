import { root, type Setting } from "../../kernel/config/index.ts";
import { readUploadPolicy } from "./read-upload-policy.ts";
import { defaultUploadPolicy } from "./upload-policy.ts";

export const settings = {
  MAX_API_ROOT: {
    group: "Providers",
    about: {
      en: "MAX Bot API server; its certificate needs MOLVA_EXTRA_CA. The twin is used in demo.",
      ru: "Сервер MAX Bot API; для его сертификата нужен MOLVA_EXTRA_CA. В demo используется двойник.",
    },
    schema: root,
    fallback: "https://platform-api2.max.ru",
  },
  MAX_UPLOAD_POLICY: {
    group: "Providers",
    about: {
      en: "By kind of file (image, video, audio, file): upload_required, or url_allowed when MAX may fetch it itself, which it does for images only.",
      ru: "По видам файлов (image, video, audio, file): upload_required или url_allowed, если MAX может взять файл по адресу сам; так он умеет только с image.",
    },
    schema: readUploadPolicy,
    fallback: defaultUploadPolicy,
    shownFallback: "image=upload_required,video=upload_required,audio=upload_required,file=upload_required",
    example: "image=url_allowed",
  },
} as const satisfies Record<string, Setting>;
