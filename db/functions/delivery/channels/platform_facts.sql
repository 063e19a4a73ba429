-- Made by `npm run generate` from src/platforms/*/index.ts; change the definitions there, not this file.
-- What is known of each platform, by its name: its limits, how its targets are read, the settings that its channels have.
create or replace function delivery.platform_facts() returns jsonb
language sql immutable parallel safe as $facts$
select '{
  "telegram": {
    "limits": {
      "text": 4096,
      "media": 10,
      "caption": 1024,
      "album": {
        "min": 2,
        "max": 10,
        "whole": [
          "photo",
          "video"
        ]
      },
      "perAccountPerSecond": 30
    },
    "target": {
      "unsaid": "user:",
      "rules": [
        {
          "pattern": "^(-[1-9][0-9]{0,15}|user:[1-9][0-9]{0,15})$",
          "keep": "{1}"
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)/(?:\\+|joinchat/)",
          "ignoreCase": true,
          "fault": "A bot cannot follow an invitation: add it to the chat and give the chat''s number, such as -1001234567890."
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)/c/([1-9][0-9]{4,12})(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "-100{1}"
        },
        {
          "pattern": "(?:^(?:https?://)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)/(?:s/)?@?|^@|^tg://resolve\\?domain=)(?:addemoji|addlist|addstickers|addtheme|boost|contact|invoice|joinchat|login|proxy|setlanguage|share|socks)(?:[/?#&].*)?$",
          "ignoreCase": true,
          "fault": "Give the chat''s number, such as -1001234567890, its @name or its link https://t.me/name (a name has 4 to 32 letters, digits or _); a person is user:42."
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)/(?:s/)?@?([a-z][a-z0-9_]{3,31})(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "@{1:lower}"
        },
        {
          "pattern": "^tg://resolve\\?domain=([a-z][a-z0-9_]{3,31})(?:&.*)?$",
          "ignoreCase": true,
          "keep": "@{1:lower}"
        },
        {
          "pattern": "^@([a-z][a-z0-9_]{3,31})$",
          "ignoreCase": true,
          "keep": "@{1:lower}"
        },
        {
          "pattern": "^(100[0-9]{10})$",
          "fault": "The number of a channel begins with a minus: -{1}."
        },
        {
          "pattern": "^([0-9]+)$",
          "fault": "The number of a channel or a group begins with a minus, such as -1001234567890. A person is user:{1}."
        }
      ],
      "otherwise": "Give the chat''s number, such as -1001234567890, its @name or its link https://t.me/name (a name has 4 to 32 letters, digits or _); a person is user:42."
    },
    "settings": {}
  },
  "max": {
    "limits": {
      "text": 4000,
      "media": 12,
      "caption": 4000,
      "album": {
        "min": 2,
        "max": 12
      },
      "perAccountPerSecond": 30
    },
    "target": {
      "rules": [
        {
          "pattern": "^(-?[1-9][0-9]{0,18}|user:[1-9][0-9]{0,18})$",
          "keep": "{1}"
        },
        {
          "pattern": "max\\.ru/",
          "ignoreCase": true,
          "fault": "MAX shows bots no chat by its link: give the chat''s number, which the bot learns when it is added to the chat, such as -70001234567890."
        }
      ],
      "otherwise": "Give the chat''s number, such as -70001234567890; a person is user:42."
    },
    "settings": {}
  },
  "vk": {
    "limits": {
      "text": 16384,
      "media": 10,
      "album": {
        "min": 2,
        "max": 10,
        "whole": [
          "photo"
        ]
      },
      "shortensArticles": true,
      "perAccountPerSecond": 3
    },
    "target": {
      "rules": [
        {
          "pattern": "^-?([1-9][0-9]{0,14})$",
          "keep": "{1}"
        },
        {
          "pattern": "^(?:club|public|event)-?([1-9][0-9]{0,14})$",
          "ignoreCase": true,
          "keep": "{1}"
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/(?:club|public|event)([1-9][0-9]{0,14})(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "{1}"
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/wall-([1-9][0-9]{0,14})(?:_[0-9]+)?(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "{1}"
        },
        {
          "pattern": "(?:^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/|^@?)(?:id|wall)[0-9]+(?:_[0-9]+)?(?:[/?#].*)?$",
          "ignoreCase": true,
          "fault": "Molva posts on walls of communities: give the community''s number or link, not a person''s."
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/(?:feed|im|groups|friends|albums|video|audios?|market|login)(?:[/?#].*)?$",
          "ignoreCase": true,
          "fault": "This page of VK is no community: open the community and copy the link of its page."
        },
        {
          "pattern": "^(?:https?://)?(?:www\\.|m\\.)?vk\\.(?:com|ru)/@?([a-z][a-z0-9_.]{2,31})(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "@{1:lower}"
        },
        {
          "pattern": "^@([a-z][a-z0-9_.]{2,31})$",
          "ignoreCase": true,
          "keep": "@{1:lower}"
        }
      ],
      "otherwise": "Give the community''s number, such as 123456 or -123456, its short name @shop or its link https://vk.com/shop."
    },
    "settings": {
      "photos": {
        "kinds": [
          "string"
        ],
        "words": [
          "upload",
          "link"
        ]
      },
      "articles": {
        "kinds": [
          "string"
        ],
        "words": [
          "shorten",
          "refuse"
        ]
      }
    }
  },
  "wordpress": {
    "limits": {
      "text": 80000,
      "media": 50,
      "album": {
        "min": 1,
        "max": 50,
        "whole": [
          "photo",
          "animation"
        ]
      },
      "title": 300
    },
    "target": {
      "rules": [
        {
          "pattern": "^(?:https?://)?((?:[^/?#@:. ]+\\.)+[^/?#@:. ]+(?::[0-9]{1,5})?|localhost(?::[0-9]{1,5})?)((?:/[^/?#@ ]+)*)/(?:wp-admin|wp-json|wp-login\\.php|index\\.php)(?:[/?#].*)?$",
          "ignoreCase": true,
          "keep": "{1:lower}{2}"
        },
        {
          "pattern": "^(?:https?://)?((?:[^/?#@:. ]+\\.)+[^/?#@:. ]+(?::[0-9]{1,5})?|localhost(?::[0-9]{1,5})?)((?:/[^/?#@ ]+)*)/*(?:[?#].*)?$",
          "ignoreCase": true,
          "keep": "{1:lower}{2}"
        }
      ],
      "otherwise": "Give the site''s address, such as https://example.com or https://example.com/blog."
    },
    "settings": {
      "status": {
        "kinds": [
          "string"
        ],
        "words": [
          "publish",
          "draft"
        ]
      },
      "publish_after_minutes": {
        "kinds": [
          "number"
        ]
      },
      "site_categories": {
        "kinds": [
          "array"
        ]
      },
      "site_tags": {
        "kinds": [
          "array"
        ]
      },
      "robots": {
        "kinds": [
          "string"
        ]
      },
      "schema_type": {
        "kinds": [
          "string"
        ],
        "words": [
          "Article",
          "BlogPosting",
          "NewsArticle",
          "TechArticle",
          "HowTo",
          "Product"
        ]
      }
    }
  },
  "pinterest": {
    "limits": {
      "text": 500,
      "media": 1,
      "title": 100,
      "description": 500,
      "needs": [
        "picture"
      ],
      "shortensArticles": true,
      "perAccountPerSecond": 1.5
    },
    "target": {
      "rules": [
        {
          "pattern": "^([0-9]{1,30})$",
          "keep": "{1}"
        },
        {
          "pattern": "^(?:https?://)?(?:[a-z]{2,3}\\.)?pinterest\\.(?:com|ru|[a-z]{2,3}|co\\.uk|com\\.[a-z]{2})/pin/",
          "ignoreCase": true,
          "fault": "This is the link of a Pin: open the board it shall stand on and copy the board''s link."
        },
        {
          "pattern": "^(?:https?://)?pin\\.it/",
          "ignoreCase": true,
          "fault": "A short link does not say where it leads: open it and copy the board''s link."
        },
        {
          "pattern": "^(?:https?://)?(?:[a-z]{2,3}\\.)?pinterest\\.(?:com|ru|[a-z]{2,3}|co\\.uk|com\\.[a-z]{2})/([a-z0-9_]{3,30})/(?:_[a-z]+|pins|boards|created|saved)/?(?:[?#].*)?$",
          "ignoreCase": true,
          "fault": "This is the link of a profile: open one of its boards and copy its link."
        },
        {
          "pattern": "^(?:https?://)?(?:[a-z]{2,3}\\.)?pinterest\\.(?:com|ru|[a-z]{2,3}|co\\.uk|com\\.[a-z]{2})/([a-z0-9_]{3,30})/([^/?#@ ]+)/?(?:[?#].*)?$",
          "ignoreCase": true,
          "keep": "@{1:lower}/{2}"
        },
        {
          "pattern": "^@([a-z0-9_]{3,30})/([^/?#@ ]+)$",
          "ignoreCase": true,
          "keep": "@{1:lower}/{2}"
        }
      ],
      "otherwise": "Give the board''s number, such as 549755885175, or its link https://www.pinterest.com/shop/summer/."
    },
    "settings": {
      "articles": {
        "kinds": [
          "string"
        ],
        "words": [
          "shorten",
          "refuse"
        ]
      }
    }
  }
}'::jsonb
$facts$;
