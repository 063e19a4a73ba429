import type { PlatformWords } from "../definition.ts";

const en: PlatformWords = {
  credentials: "the site's admin pages, under Users → Profile → Application Passwords",
  fine: {
    chat: "The site is there: {chat}, {address}.",
    token: "The application password is good: it belongs to {bot}.",
    rights: "The account may publish here.",
  },
  wrong: {
    chat_not_found: {
      text: "There is no site at {target}: {said}",
      advice: "Open the site in a browser and copy its address into the credential and into target_id.",
    },
    site_of_another_credential: {
      text: "The password is for another site: {said}.",
      advice:
        "A password is sent to its own site only. Set target_id to that site, or: molva credential set {platform} {auth_ref}",
    },
    site_moved: {
      text: "The site has another address: {said}.",
      advice:
        "Set the new address: molva credential set {platform} {auth_ref}, then molva channel set {channel} target_id=…",
    },
    rest_off: {
      text: "The site is there, but its REST API is switched off: {said}.",
      advice:
        "Allow REST for people who have signed in: look through the plugins that protect the site. It must be WordPress 5.6 or newer.",
    },
    security_plugin: {
      text: "Something before the site refuses the requests: {said}.",
      advice:
        "Let requests to /wp-json/ through in the security plugin, the firewall or the hosting's panel.",
    },
    site_in_maintenance: {
      text: "The site is being looked after: {said}.",
      advice: "Wait until it is open again, or switch off the maintenance plugin for /wp-json/.",
    },
    passwords_off: {
      text: "The site lets nobody in by an application password: {said}",
      advice:
        "The site needs https, and no plugin may switch application passwords off (Wordfence does by default).",
    },
    token_refused: {
      text: "The site does not know the login and the application password: {said}",
      advice:
        "Make a new password in {tokens}, then: molva credential set {platform} {auth_ref}. On Apache the Authorization header may have to be let through.",
    },
    may_not_post: {
      text: "The account's role may not publish on the site.",
      advice: `Make it an author or an editor, or leave drafts: molva channel set {channel} 'settings={"status":"draft"}'`,
    },
    may_not_upload: {
      text: "The account's role may publish, but not upload pictures.",
      advice: "Make it an author or an editor, or: molva channel set {channel} send_mode=text",
    },
  },
};

const ru: PlatformWords = {
  credentials: "админке сайта, «Пользователи» → «Профиль» → «Пароли приложений»",
  fine: {
    chat: "Сайт найден: {chat}, {address}.",
    token: "Пароль приложения действует, его владелец: {bot}.",
    rights: "С этой учётной записью можно публиковать.",
  },
  wrong: {
    chat_not_found: {
      text: "По адресу {target} сайта нет: {said}",
      advice: "Откройте сайт в браузере и скопируйте его адрес в доступ и в target_id.",
    },
    site_of_another_credential: {
      text: "Этот пароль от другого сайта: {said}.",
      advice:
        "Пароль уходит только на свой сайт. Укажите его в target_id или: molva credential set {platform} {auth_ref}",
    },
    site_moved: {
      text: "У сайта другой адрес: {said}.",
      advice:
        "Укажите новый адрес: molva credential set {platform} {auth_ref}, затем molva channel set {channel} target_id=…",
    },
    rest_off: {
      text: "Сайт на месте, но REST API на нём выключен: {said}.",
      advice:
        "Разрешите REST вошедшим пользователям: проверьте плагины защиты. Нужен WordPress 5.6 или новее.",
    },
    security_plugin: {
      text: "Запросы не доходят до сайта, их останавливает защита: {said}.",
      advice: "Разрешите запросы к /wp-json/ в плагине безопасности, файрволе или панели хостинга.",
    },
    site_in_maintenance: {
      text: "Сайт на обслуживании: {said}.",
      advice: "Подождите, пока он откроется, или разрешите /wp-json/ в плагине обслуживания.",
    },
    passwords_off: {
      text: "Пароли приложений на сайте выключены: {said}",
      advice:
        "Сайту нужен https, и ни один плагин не должен выключать пароли приложений (Wordfence делает это сам).",
    },
    token_refused: {
      text: "Сайт не узнаёт логин и пароль приложения: {said}",
      advice:
        "Создайте новый пароль в {tokens}, затем: molva credential set {platform} {auth_ref}. На Apache иногда нужно пропустить заголовок Authorization.",
    },
    may_not_post: {
      text: "Роль учётной записи не позволяет публиковать.",
      advice: `Сделайте её автором или редактором либо оставляйте черновики: molva channel set {channel} 'settings={"status":"draft"}'`,
    },
    may_not_upload: {
      text: "Публиковать можно, а загружать картинки роль не позволяет.",
      advice: "Сделайте её автором или редактором либо: molva channel set {channel} send_mode=text",
    },
  },
};

export const words = { en, ru };
