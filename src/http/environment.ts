import { z } from "zod";
import { address, isLoopbackHost, settingGroup, word, yesNo } from "../kernel/config/index.ts";

const group = "Signing in";
const domain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const domains = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim().toLowerCase()))
  .refine((names) => names.every((name) => domain.test(name)), "must be domains, separated by commas");

export const signInSettings = settingGroup(
  {
    MOLVA_REQUIRE_SECOND_FACTOR: {
      group,
      about: {
        en: "Every operator must have a second factor; one without it can do nothing but set it up. API tokens are not affected.",
        ru: "У каждого оператора должен быть второй фактор; без него можно только настроить его. Токенов API это не касается.",
      },
      schema: yesNo,
      fallback: false,
    },
    OIDC_ISSUER: {
      group,
      about: {
        en: "The OpenID Connect provider that operators may sign in through: the issuer, as its discovery document names it. http is taken for this machine only.",
        ru: "Провайдер OpenID Connect, через которого могут входить операторы: issuer, как он назван в его документе discovery. http допускается только для этой машины.",
      },
      schema: address("http", "https"),
      example: "https://accounts.google.com",
    },
    OIDC_CLIENT_ID: {
      group,
      about: {
        en: "Molva's client id at the provider; required with OIDC_ISSUER. Its redirect address is MOLVA_PUBLIC_URL/api/v1/session/oidc/callback.",
        ru: "Идентификатор Молвы у провайдера; нужен вместе с OIDC_ISSUER. Адрес возврата: MOLVA_PUBLIC_URL/api/v1/session/oidc/callback.",
      },
      schema: word,
    },
    OIDC_CLIENT_SECRET: {
      group,
      about: {
        en: "Molva's client secret at the provider; required with OIDC_ISSUER.",
        ru: "Секрет Молвы у провайдера; нужен вместе с OIDC_ISSUER.",
      },
      schema: word,
      secret: true,
    },
    OIDC_SCOPES: {
      group,
      about: {
        en: "What is asked of the provider, separated by spaces; openid must be among it.",
        ru: "Что запрашивается у провайдера, через пробел; среди этого должен быть openid.",
      },
      schema: z
        .string()
        .refine(
          (text) => text.split(" ").includes("openid"),
          "must be scopes separated by spaces, openid among them",
        ),
      fallback: "openid email profile",
    },
    OIDC_NAME: {
      group,
      about: {
        en: "The provider's name on the button of the sign-in page.",
        ru: "Название провайдера на кнопке страницы входа.",
      },
      schema: word,
      fallback: "SSO",
      example: "Google",
    },
    OIDC_ALLOWED_DOMAINS: {
      group,
      about: {
        en: "Domains of the addresses that may sign in through the provider, separated by commas. Anybody who is an operator, unless set.",
        ru: "Домены адресов, с которыми можно войти через провайдера, через запятую. Если не заданы, войти может любой оператор.",
      },
      schema: domains,
      fallback: [],
      shownFallback: "all",
      example: "example.com",
    },
  },
  ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret }) => {
    if (!issuer)
      return id || secret ? ["OIDC_ISSUER must be set when OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is"] : [];
    const { protocol, hostname } = new URL(issuer);
    return [
      ...(id ? [] : ["OIDC_CLIENT_ID must be set when OIDC_ISSUER is"]),
      ...(secret ? [] : ["OIDC_CLIENT_SECRET must be set when OIDC_ISSUER is"]),
      ...(protocol === "https:" || isLoopbackHost(hostname)
        ? []
        : [
            "OIDC_ISSUER must be an https:// address: over plain http anybody on the way could sign in as anybody",
          ]),
    ];
  },
);
