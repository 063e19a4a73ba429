import { z } from "zod";
import { root, settingGroup, word } from "../kernel/config/index.ts";
import { imagesApis } from "./providers/settings.ts";

export const llmSettings = settingGroup({
  OPENROUTER_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of OpenRouter; without it the provider is not asked. In demo its twin needs none.",
      ru: "Ключ OpenRouter; без него к нему не обращаются. В demo двойнику ключ не нужен.",
    },
    schema: word,
    secret: true,
    example: "sk-or-v1-…",
  },
  OPENROUTER_BASE_URL: {
    group: "Language models",
    about: {
      en: "OpenRouter's API; the twin is used in demo.",
      ru: "API OpenRouter; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://openrouter.ai/api/v1",
  },
  OPENROUTER_IMAGES_API: {
    group: "Language models",
    about: {
      en: "How OpenRouter is asked for pictures: chat (inside chat completions) or images (its API for pictures).",
      ru: "Как просить картинки у OpenRouter: chat (внутри chat completions) или images (отдельный API для картинок).",
    },
    schema: z.enum(imagesApis),
    fallback: "chat",
  },
  OPENAI_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of OpenAI; without it the provider is not asked. In demo its twin needs none.",
      ru: "Ключ OpenAI; без него к нему не обращаются. В demo двойнику ключ не нужен.",
    },
    schema: word,
    secret: true,
    example: "sk-…",
  },
  OPENAI_BASE_URL: {
    group: "Language models",
    about: {
      en: "OpenAI's API; the twin is used in demo.",
      ru: "API OpenAI; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.openai.com/v1",
  },
  LLM_BASE_URL: {
    group: "Language models",
    about: {
      en: "Any other server that speaks OpenAI's chat completions: the provider called compatible in policies.",
      ru: "Любой другой сервер с API chat completions, как у OpenAI: в политиках он называется compatible.",
    },
    schema: root,
    example: "http://127.0.0.1:11434/v1",
  },
  LLM_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of that server, if it asks for one.",
      ru: "Ключ этого сервера, если он его требует.",
    },
    schema: word,
    secret: true,
  },
  LLM_IMAGES_API: {
    group: "Language models",
    about: {
      en: "How that server is asked for pictures: chat or images.",
      ru: "Как просить картинки у этого сервера: chat или images.",
    },
    schema: z.enum(imagesApis),
    fallback: "chat",
  },
});
