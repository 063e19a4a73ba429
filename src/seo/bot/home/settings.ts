import { version } from "../../../kernel/paths/index.ts";
import { screen } from "../services.ts";
import { texts } from "../texts/index.ts";

export const settings = screen("settings", {
  to: ["profile:notifications", "support", "about", "dashboard"],
  show(_, { language, services }) {
    const { home, common } = texts[language];
    const say = home.settings;
    return {
      text: say.text,
      buttons: [
        [{ label: say.notifications, to: "profile:notifications" }],
        services.support === undefined ? [] : [{ label: say.support, to: "support" }],
        [{ label: say.about, to: "about" }],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

export const support = screen("support", {
  to: ["settings", "dashboard"],
  show(_, { language, services: { support: contact } }) {
    const { home, common } = texts[language];
    const say = home.support;
    const url = contact?.startsWith("@") ? `https://t.me/${contact.slice(1)}` : contact;
    return {
      text: contact === undefined ? say.none : say.text(contact),
      buttons: [
        url === undefined ? [] : [{ label: say.write, url }],
        [
          { label: home.settings.back, to: "settings" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});

export const about = screen("about", {
  to: ["settings", "dashboard"],
  show(_, { language }) {
    const { home, common } = texts[language];
    return {
      text: home.about(version),
      buttons: [
        [
          { label: home.settings.back, to: "settings" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});
