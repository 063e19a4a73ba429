import type { PlatformWords } from "../definition.ts";

const en: PlatformWords = {
  credentials: "the community's settings, under API",
  fine: {
    token: "The key is good: it belongs to {bot}.",
    chat: "The community is there: {chat}.",
    rights: "The key may post here.",
  },
  wrong: {
    token_refused: {
      text: "VK does not accept the key: it is mistyped, has expired or was revoked.",
      advice: "Make a new one in {tokens}, then: molva credential set {platform} {auth_ref}",
    },
    vk_id_key: {
      text: "This is a VK ID key. VK does not let such keys post on walls.",
      advice:
        "Make a key in {tokens}, with the right to its wall, then: molva credential set {platform} {auth_ref}",
    },
    chat_not_found: {
      text: "VK knows no community {target}.",
      advice: "Copy the link of the community's page, then: molva channel set {channel} target_id=…",
    },
    community_closed: {
      text: "The community {chat} was deleted or blocked.",
      advice: "Restore it in VK, or disable the channel.",
    },
    wall_off: {
      text: "The wall of {chat} is switched off.",
      advice: "Switch it on in the community's settings, under Sections.",
    },
    key_of_another_community: {
      text: "The key belongs to another community: {owner}. A community's key posts on its own wall only.",
      advice: "Make a key in the settings of this community, or set target_id to {number}.",
    },
    not_administrator: {
      text: "The person whose key this is does not edit the community.",
      advice: "Make this person an editor or administrator in the community's settings, under Members.",
    },
    may_not_post: {
      text: "The key lacks the right to the wall.",
      advice: "Make a key with this right in {tokens}, then: molva credential set {platform} {auth_ref}",
    },
    photos_need_person_key: {
      text: "VK lets no community's key upload pictures, so posts with pictures would fail.",
      advice: `Show the card of a link in their place: molva channel set {channel} 'settings={"photos":"link"}'. Or use the key of a person who edits the community.`,
    },
    may_not_upload: {
      text: "The key may post, but not upload pictures: {said}",
      advice: `Get a key with the right photos too, or: molva channel set {channel} 'settings={"photos":"link"}'`,
    },
  },
};

const ru: PlatformWords = {
  credentials: "настройках сообщества, в разделе «Работа с API»",
  fine: {
    token: "Ключ действует, его владелец: {bot}.",
    chat: "Сообщество найдено: {chat}.",
    rights: "С этим ключом можно публиковать.",
  },
  wrong: {
    token_refused: {
      text: "VK не принимает ключ: в нём опечатка, он истёк или отозван.",
      advice: "Создайте новый в {tokens}, затем: molva credential set {platform} {auth_ref}",
    },
    vk_id_key: {
      text: "Это ключ VK ID. С такими ключами VK не даёт писать на стену.",
      advice:
        "Создайте ключ в {tokens} с доступом к стене, затем: molva credential set {platform} {auth_ref}",
    },
    chat_not_found: {
      text: "VK не знает сообщества {target}.",
      advice: "Скопируйте ссылку на страницу сообщества, затем: molva channel set {channel} target_id=…",
    },
    community_closed: {
      text: "Сообщество {chat} удалено или заблокировано.",
      advice: "Восстановите его в VK или выключите канал.",
    },
    wall_off: {
      text: "Стена сообщества {chat} отключена.",
      advice: "Включите её в настройках сообщества, в разделе «Разделы».",
    },
    key_of_another_community: {
      text: "Ключ от другого сообщества: {owner}. Ключ сообщества публикует только на его стене.",
      advice: "Создайте ключ в настройках нужного сообщества или укажите {number} в target_id.",
    },
    not_administrator: {
      text: "Владелец ключа не редактор этого сообщества.",
      advice: "Назначьте его редактором или администратором в настройках сообщества, в разделе «Участники».",
    },
    may_not_post: {
      text: "У ключа нет доступа к стене.",
      advice: "Создайте ключ с этим правом в {tokens}, затем: molva credential set {platform} {auth_ref}",
    },
    photos_need_person_key: {
      text: "С ключом сообщества VK не даёт загружать фотографии, и публикации с ними не пройдут.",
      advice: `Можно показывать вместо них карточку ссылки: molva channel set {channel} 'settings={"photos":"link"}'. Или возьмите ключ человека, который редактирует сообщество.`,
    },
    may_not_upload: {
      text: "Публиковать можно, а загружать фотографии нельзя: {said}",
      advice: `Возьмите ключ и с правом photos или: molva channel set {channel} 'settings={"photos":"link"}'`,
    },
  },
};

export const words = { en, ru };
