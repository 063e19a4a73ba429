-- The demo workspace: forty channels about the same twenty subjects in Telegram and MAX, a push endpoint, a source, a template
-- and a shop bot with its rules. Safe to run again: what is there already is left as it is.
--
-- With psql alone: `psql -f db/schema.sql -f db/seed.sql`. Posts can then be queued, claimed and settled by the functions of
-- `delivery`, and the shop bot's updates received and its rules read by those of `shopbot`, by whatever program holds the tokens.
-- `molva up` and `molva seed` run this file too. They put the demo's own tokens in the place of the variables below, tell the
-- twins about the chats and post something.

insert into workspaces.workspaces (workspace_id, name)
values ('00000000-0000-7000-8000-000000000001', 'Демонстрация')
on conflict do nothing;

-- The secret is `molva-demo-secret`. The demo listens on this machine only; production mode refuses this file.
insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, secret_hash, ingress_rps, meta)
values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', 'webhook_push',
        encode(sha256('molva-demo-secret'), 'hex'), 20, '{"name": "Демонстрационный вход"}')
on conflict do nothing;

-- The providers' own ceilings per bot, with a little air.
insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
values ('00000000-0000-7000-8000-000000000001', 'telegram', 'demo-telegram-bot', 25),
       ('00000000-0000-7000-8000-000000000001', 'max', 'demo-max-bot', 25)
on conflict do nothing;

-- Below what the messengers allow, so that the first look is not spoilt by their patience.
insert into delivery.channels (
  workspace_id, channel_id, platform, target_id, title, rate_rps, tags, route_filter, auth_ref, rate_group)
select '00000000-0000-7000-8000-000000000001', id::uuid, platform, target, title, rps, tags::text[], filter::jsonb,
       'demo-' || platform || '-bot', 'demo-' || platform || '-bot'
from (values
  ('00000000-0000-7000-8000-000000010001', 'telegram', '-1002000000001', 'Молва: всё подряд', 0.75, '{}', null),
  ('00000000-0000-7000-8000-000000010002', 'telegram', '-1002000000002', 'Главное за день', 0.75, '{новости}', null),
  ('00000000-0000-7000-8000-000000010003', 'telegram', '-1002000000003', 'Новости Москвы', 0.75, '{новости,москва}', '{"include_any": ["новости", "москва"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010004', 'telegram', '-1002000000004', 'Новости Петербурга', 0.75, '{новости,петербург}', '{"include_any": ["новости", "петербург"]}'),
  ('00000000-0000-7000-8000-000000010005', 'telegram', '-1002000000005', 'Технологии', 0.75, '{технологии}', '{"include_any": ["технологии", "it"]}'),
  ('00000000-0000-7000-8000-000000010006', 'telegram', '-1002000000006', 'Искусственный интеллект', 0.75, '{ии}', '{"include_any": ["ии", "нейросети"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010007', 'telegram', '-1002000000007', 'Спорт каждый день', 0.75, '{спорт}', '{"include_any": ["спорт"]}'),
  ('00000000-0000-7000-8000-000000010008', 'telegram', '-1002000000008', 'Футбол', 0.75, '{спорт,футбол}', '{"include_any": ["футбол"]}'),
  ('00000000-0000-7000-8000-000000010009', 'telegram', '-1002000000009', 'Кино и сериалы', 0.75, '{кино}', '{"include_any": ["кино", "сериалы"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010010', 'telegram', '-1002000000010', 'Музыка', 0.75, '{музыка}', '{"include_any": ["музыка"]}'),
  ('00000000-0000-7000-8000-000000010011', 'telegram', '-1002000000011', 'Рецепты на каждый день', 0.75, '{еда}', '{"include_any": ["рецепты", "еда"]}'),
  ('00000000-0000-7000-8000-000000010012', 'telegram', '-1002000000012', 'Скидки и акции', 0.75, '{скидки}', '{"include_any": ["скидки", "акции"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010013', 'telegram', '-1002000000013', 'Путешествия', 0.75, '{путешествия}', '{"include_any": ["путешествия"]}'),
  ('00000000-0000-7000-8000-000000010014', 'telegram', '-1002000000014', 'Наука просто', 0.75, '{наука}', '{"include_any": ["наука"]}'),
  ('00000000-0000-7000-8000-000000010015', 'telegram', '-1002000000015', 'Игры', 0.75, '{игры}', '{"include_any": ["игры"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010016', 'telegram', '-1002000000016', 'Книжная полка', 0.75, '{книги}', '{"include_any": ["книги"]}'),
  ('00000000-0000-7000-8000-000000010017', 'telegram', '-1002000000017', 'Автомобили', 0.75, '{авто}', '{"include_any": ["авто"]}'),
  ('00000000-0000-7000-8000-000000010018', 'telegram', '-1002000000018', 'Дом и дача', 0.75, '{дом}', '{"include_any": ["дом", "дача"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000010019', 'telegram', '-1002000000019', 'Здоровье', 0.75, '{здоровье}', '{"include_any": ["здоровье"]}'),
  ('00000000-0000-7000-8000-000000010020', 'telegram', '-1002000000020', 'Работа и карьера', 0.75, '{работа}', '{"include_any": ["работа", "карьера"]}'),
  ('00000000-0000-7000-8000-000000020001', 'max', '-70000001', 'Молва: всё подряд', 1, '{}', null),
  ('00000000-0000-7000-8000-000000020002', 'max', '-70000002', 'Главное за день', 1, '{новости}', null),
  ('00000000-0000-7000-8000-000000020003', 'max', '-70000003', 'Новости Москвы', 1, '{новости,москва}', '{"include_any": ["новости", "москва"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020004', 'max', '-70000004', 'Новости Петербурга', 1, '{новости,петербург}', '{"include_any": ["новости", "петербург"]}'),
  ('00000000-0000-7000-8000-000000020005', 'max', '-70000005', 'Технологии', 1, '{технологии}', '{"include_any": ["технологии", "it"]}'),
  ('00000000-0000-7000-8000-000000020006', 'max', '-70000006', 'Искусственный интеллект', 1, '{ии}', '{"include_any": ["ии", "нейросети"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020007', 'max', '-70000007', 'Спорт каждый день', 1, '{спорт}', '{"include_any": ["спорт"]}'),
  ('00000000-0000-7000-8000-000000020008', 'max', '-70000008', 'Футбол', 1, '{спорт,футбол}', '{"include_any": ["футбол"]}'),
  ('00000000-0000-7000-8000-000000020009', 'max', '-70000009', 'Кино и сериалы', 1, '{кино}', '{"include_any": ["кино", "сериалы"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020010', 'max', '-70000010', 'Музыка', 1, '{музыка}', '{"include_any": ["музыка"]}'),
  ('00000000-0000-7000-8000-000000020011', 'max', '-70000011', 'Рецепты на каждый день', 1, '{еда}', '{"include_any": ["рецепты", "еда"]}'),
  ('00000000-0000-7000-8000-000000020012', 'max', '-70000012', 'Скидки и акции', 1, '{скидки}', '{"include_any": ["скидки", "акции"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020013', 'max', '-70000013', 'Путешествия', 1, '{путешествия}', '{"include_any": ["путешествия"]}'),
  ('00000000-0000-7000-8000-000000020014', 'max', '-70000014', 'Наука просто', 1, '{наука}', '{"include_any": ["наука"]}'),
  ('00000000-0000-7000-8000-000000020015', 'max', '-70000015', 'Игры', 1, '{игры}', '{"include_any": ["игры"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020016', 'max', '-70000016', 'Книжная полка', 1, '{книги}', '{"include_any": ["книги"]}'),
  ('00000000-0000-7000-8000-000000020017', 'max', '-70000017', 'Автомобили', 1, '{авто}', '{"include_any": ["авто"]}'),
  ('00000000-0000-7000-8000-000000020018', 'max', '-70000018', 'Дом и дача', 1, '{дом}', '{"include_any": ["дом", "дача"], "exclude": ["18+"]}'),
  ('00000000-0000-7000-8000-000000020019', 'max', '-70000019', 'Здоровье', 1, '{здоровье}', '{"include_any": ["здоровье"]}'),
  ('00000000-0000-7000-8000-000000020020', 'max', '-70000020', 'Работа и карьера', 1, '{работа}', '{"include_any": ["работа", "карьера"]}')
) as demo (id, platform, target, title, rps, tags, filter)
on conflict do nothing;

-- Where the tokens are: in variables of the program that sends. start_sending names the variable with every delivery.
insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
values ('00000000-0000-7000-8000-000000000001', 'demo-telegram-bot', 'telegram', 'env:DEMO_TELEGRAM_BOT_TOKEN'),
       ('00000000-0000-7000-8000-000000000001', 'demo-max-bot', 'max', 'env:DEMO_MAX_BOT_TOKEN'),
       ('00000000-0000-7000-8000-000000000001', 'demo-shop-bot', 'max', 'env:DEMO_SHOP_BOT_TOKEN'),
       ('00000000-0000-7000-8000-000000000001', 'demo-shop-bot-webhook', 'max', 'env:DEMO_SHOP_BOT_SECRET')
on conflict do nothing;

-- A channel writes its posts by a template when its template_ref names one.
insert into delivery.templates (workspace_id, template_id, version, body, defaults, active)
values ('00000000-0000-7000-8000-000000000001', 'demo-news', 1,
        E'<b>{{ title }}</b>\n\n{{ text }}\n\n{{ signature }}',
        '{"parse_mode": "HTML", "title": "Новости", "signature": "Молва"}', true)
on conflict do nothing;

-- A feed that the demo's twins serve. It is off: `update delivery.pull_sources set enabled = true`, or `molva source set`.
insert into delivery.pull_sources (workspace_id, source_id, kind, config_json, every_seconds, enabled)
values ('00000000-0000-7000-8000-000000000001', 'demo-news', 'rss',
        '{"url": "http://127.0.0.1:8090/demo/news.xml", "tags": ["новости"]}', 1800, false)
on conflict do nothing;
insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, source_id, ingress_rps)
values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', 'pull_source', 'demo-news', 0)
on conflict do nothing;

-- The shop bot and the door of its updates. Nobody knows the door's secret: put the hash of your own in its place.
insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, secret_hash, ingress_rps, meta)
values ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000004', 'bot_webhook',
        encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 100, '{"name": "Магазин «Ромашка»"}')
on conflict do nothing;
insert into shopbot.bots (workspace_id, auth_ref, endpoint_id, operators_chat_id, settings)
select '00000000-0000-7000-8000-000000000001', 'demo-shop-bot', '00000000-0000-7000-8000-000000000004', '-70100001',
       '{"title": "Магазин «Ромашка»"}'
-- A demo that was seeded before has its bot, with a door of its own.
where exists (
  select from delivery.workspace_endpoints where endpoint_id = '00000000-0000-7000-8000-000000000004')
on conflict do nothing;

-- Events are kept a partition a day.
select workspaces.ensure_event_partitions();

-- Made from db/shop-bot.yaml by `npm run generate`: the rules of the demo shop's bot.
select shopbot.apply_release('00000000-0000-7000-8000-000000000001',
$file$# Правила демонстрационного бота магазина. `molva bot export` выдаёт такой же файл для вашего бота,
# `molva bot test` проигрывает примеры из него, `molva bot apply` вводит правила в действие.

bot:
  title: Магазин «Ромашка»
  language: ru
  parse_mode: Markdown
  state_minutes: 30
  variables:
    shop: «Ромашка»
    phone: 8 800 100-20-30
    email: help@romashka.example
    address: Москва, Цветной бульвар, 15
    hours: ежедневно с 9:00 до 21:00
    delivery_price: 350
    free_delivery_from: 3000
  fallback:
    escalate_after: 3
    text: |
      Спасибо за сообщение! Я бот-помощник магазина {{ shop }} и понял не всё.
      Уточните, пожалуйста, о чём вопрос: доставка, оплата, возврат, гарантия или контакты?
    buttons: &menu
      - - { text: Доставка, press: delivery }
        - { text: Оплата, press: payment }
      - - { text: Возврат, press: returns }
        - { text: Гарантия, press: warranty }
      - - { text: Контакты, press: contacts }
        - { text: Позвать сотрудника, press: operator }
  escalation:
    text: |
      Похоже, здесь нужен человек. Передаю разговор сотруднику, он ответит в этом чате.
      Если вопрос срочный, звоните: **{{ phone }}**, {{ hours }}.
    nobody_text: |
      Здесь нужен человек, но позвать его в этот чат я не могу. Позвоните, пожалуйста: **{{ phone }}**, {{ hours }}.
      Или напишите на {{ email }}.

rules:
  - id: welcome
    intent: greeting
    on: start
    keywords: [здравствуй, привет, добрый день, добрый вечер, доброе утро, меню]
    priority: 200
    answer: |
      Здравствуйте{% if customer != "" %}, {{ customer }}{% endif %}! Это бот-помощник магазина {{ shop }}.
      Расскажу о доставке, оплате и гарантии, помогу оформить возврат, а если не справлюсь, позову сотрудника.
      О чём ваш вопрос?
    buttons: *menu

  - id: delivery
    keywords: [доставк, курьер, самовывоз]
    answer: |
      **Доставка**
      • Курьером по Москве: завтра или в удобный день, {{ delivery_price }} ₽; бесплатно при заказе от {{ free_delivery_from }} ₽.
      • По России: 2–7 дней, стоимость видна при оформлении заказа.
      • Самовывоз: {{ address }}, {{ hours }}. Заказ ждёт вас 5 дней.
      Накануне доставки курьер позвонит и согласует время.
    buttons:
      - - { text: Оплата, press: payment }
        - { text: Позвать сотрудника, press: operator }

  - id: payment
    keywords: [оплат, карт, счет, сбп, рассрочк]
    answer: |
      **Оплата**
      • На сайте: картой или через СБП.
      • При получении: картой или наличными.
      • Для организаций: по счёту, его пришлём на почту в течение рабочего дня.
      Если деньги списались, а заказ не оплачен, не платите второй раз: напишите номер заказа сотруднику.
    buttons:
      - - { text: Доставка, press: delivery }
        - { text: Позвать сотрудника, press: operator }

  - id: returns
    keywords: [возврат, вернуть, обмен]
    priority: 50
    next_state: returns_order
    answer: |
      Помогу оформить возврат. Вернуть товар можно в течение 14 дней после получения, если он не был в употреблении.
      Напишите, пожалуйста, **номер заказа**: он указан в письме и в СМС, например 12345.
    buttons: &way_out
      - - { text: Отменить возврат, press: cancel }
        - { text: Позвать сотрудника, press: operator }

  - id: returns_order
    intent: returns
    state: returns_order
    accepts: order_number
    save_as: order_number
    next_state: returns_reason
    answer: |
      Записал заказ **{{ order_number }}**. Почему хотите вернуть товар? Выберите причину или напишите своими словами.
    refuse: |
      Не нашёл в сообщении номера заказа. В нём от 4 до 12 цифр, например 12345; пришлите, пожалуйста, один номер.
      Если номера нет под рукой, нажмите «Отменить возврат» или позовите сотрудника.
    buttons: &reasons
      - - { text: Не подошёл, press: returns_reason }
        - { text: Брак или поломка, press: returns_reason_defect }
      - - { text: Отменить возврат, press: cancel }
        - { text: Позвать сотрудника, press: operator }

  - id: returns_reason_defect
    intent: returns
    state: returns_reason
    keywords: [брак, сломал, поломк, не работает, дефект, разбит]
    priority: 40
    accepts: reason
    save_as: reason
    next_state: default
    answer: |
      Простите, что так вышло. Возврат по заказу **{{ order_number }}**, причина: {{ reason }}.
      1. Сфотографируйте недостаток и упаковку.
      2. Привезите товар в магазин ({{ address }}, {{ hours }}) или вызовите курьера по телефону {{ phone }}: для вас это бесплатно.
      3. Проверим товар за 3 дня и вернём деньги или заменим его.
    refuse: &why |
      Напишите, пожалуйста, причину хотя бы одним словом или выберите её кнопкой.
    buttons: &after
      - - { text: Контакты, press: contacts }
        - { text: Позвать сотрудника, press: operator }

  - id: returns_reason
    intent: returns
    state: returns_reason
    accepts: reason
    save_as: reason
    next_state: default
    answer: |
      Готово. Возврат по заказу **{{ order_number }}**, причина: {{ reason }}.
      1. Сложите товар в упаковку с ярлыками и чеком; чек можно показать в телефоне.
      2. Привезите его в магазин ({{ address }}, {{ hours }}) или отправьте с курьером, {{ delivery_price }} ₽.
      3. Деньги вернутся тем же способом, которым вы платили, в течение 10 дней.
    refuse: *why
    buttons: *after

  - id: warranty
    keywords: [гаранти, ремонт, сломал, не работает]
    answer: |
      **Гарантия**
      На технику действует гарантия производителя от 12 месяцев: срок указан в талоне.
      Если товар сломался, не разбирайте его: привезите вместе с чеком в магазин ({{ address }}) или вызовите курьера по телефону {{ phone }}.
      Диагностика занимает до 14 дней, ремонт до 45 дней.
    buttons:
      - - { text: Возврат, press: returns }
        - { text: Позвать сотрудника, press: operator }

  - id: contacts
    keywords: [контакт, телефон, адрес, где вы находитесь, режим работы, часы работы]
    answer: |
      **Контакты**
      Телефон: {{ phone }}, {{ hours }}
      Почта: {{ email }}
      Адрес: {{ address }}
    buttons:
      - - { text: Позвать сотрудника, press: operator }

  - id: operator
    interrupts: true
    keywords: [оператор, сотрудник, живой человек, менеджер]
    priority: 10
    escalate: true
    answer: |
      Зову сотрудника: он прочитает переписку и ответит здесь. Мы на связи {{ hours }}.
      Можно и позвонить: **{{ phone }}**.

  # Отмену заказа бот не обещает: её делает человек. Поэтому правило стоит раньше, чем просто «отмена».
  - id: cancel_order
    interrupts: true
    keywords: [отменить заказ, отмена заказа, отмену заказа, отмените заказ, отменить покупк]
    priority: 15
    escalate: true
    answer: |
      Отменить заказ может только сотрудник, зову его: он прочитает переписку и ответит здесь.
      Напишите, пожалуйста, номер заказа, если ещё не написали. Мы на связи {{ hours }}, телефон **{{ phone }}**.

  - id: cancel
    interrupts: true
    keywords: [отмен, передумал, /cancel]
    priority: 20
    next_state: default
    answer: Хорошо, на этом остановимся. Если понадобится помощь, просто напишите.
    buttons: *menu

  - id: thanks
    keywords: [спасибо, благодар]
    priority: 300
    answer: Пожалуйста! Если появятся ещё вопросы, пишите.

  - id: photo
    on: attachment
    answer: |
      Спасибо, файл получил, но рассмотреть его не могу: я понимаю только текст.
      Напишите, пожалуйста, в чём вопрос, или позовите сотрудника: он увидит файл.
    buttons:
      - - { text: Позвать сотрудника, press: operator }

dialogues:
  - name: Знакомство
    lines:
      - start: true
      - bot: О чём ваш вопрос
        rule: welcome
      - press: Доставка
      - bot: Курьером по Москве
        rule: delivery
      - customer: Спасибо!
      - bot: Пожалуйста

  - name: Пять частых вопросов
    lines:
      - customer: Сколько стоит ДОСТАВКА?
      - bot: 350 ₽
        rule: delivery
      - customer: Можно по счёту оплатить?
      - bot: по счёту, его пришлём на почту
        rule: payment
      - customer: Чайник сломался
      - bot: не разбирайте его
        rule: warranty
      - customer: Подскажите телефон
      - bot: 8 800 100-20-30
        rule: contacts
      - customer: Хочу вернуть товар
      - bot: номер заказа
        rule: returns

  - name: Возврат от начала до конца
    lines:
      - customer: как оформить возврат?
      - bot: Напишите, пожалуйста, номер заказа
        rule: returns
      - customer: не помню
      - bot: Не нашёл в сообщении номера заказа
        rule: returns_order
      - customer: вот, № 48151
      - bot: Записал заказ 48151
        rule: returns_order
      - press: Не подошёл
      - bot: "Возврат по заказу 48151, причина: Не подошёл"
        rule: returns_reason
      - customer: где вы находитесь?
      - bot: Цветной бульвар
        rule: contacts

  - name: Возврат бракованного
    lines:
      - customer: обмен
      - bot: номер заказа
      - customer: АБ-12345
      - bot: Записал заказ АБ-12345
      - attach: image
      - bot: причину хотя бы одним словом
        rule: returns_reason
      - customer: пришёл разбитый
      - bot: Простите, что так вышло
        rule: returns_reason_defect

  - name: Вопрос посреди возврата не причина
    lines:
      - customer: хочу вернуть куртку
      - bot: номер заказа
      - customer: "12345"
      - bot: Почему хотите вернуть товар
      - customer: а где ваш магазин, какой адрес?
      - bot: Напишите, пожалуйста, причину
        rule: contacts
      - customer: не подошёл размер
      - bot: "причина: не подошёл размер"
        rule: returns_reason

  - name: Вопрос вместо номера заказа
    lines:
      - customer: хочу вернуть куртку
      - bot: номер заказа
      - customer: а сколько стоит доставка?
      - bot: Курьером по Москве
        rule: delivery
      - customer: "12345"
      - bot: Почему хотите вернуть товар
      - customer: когда вернёте деньги?
      - bot: Напишите, пожалуйста, причину
        rule: returns_reason

  - name: Выход на каждом шаге
    lines:
      - customer: возврат
      - bot: номер заказа
      - press: Отменить возврат
      - bot: на этом остановимся
        rule: cancel
      - customer: вернуть
      - bot: номер заказа
      - customer: "12345"
      - bot: Записал заказ
      - customer: я передумал
      - bot: на этом остановимся
        rule: cancel

  - name: Разговор забывается через полчаса
    lines:
      - customer: возврат
      - bot: номер заказа
      - wait: 31
      - customer: "12345"
      - bot: начнём сначала

  - name: Кто долго не может ответить, попадает к человеку
    lines:
      - customer: возврат
      - bot: номер заказа
      - customer: не знаю
      - bot: Не нашёл
      - customer: честно не знаю
      - bot: Не нашёл
      - customer: ну нет его
      - bot: Не нашёл
      - customer: что делать?
      - bot: нужен человек

  - name: Непонятное
    lines:
      - customer: 🌼🌼🌼
      - bot: понял не всё
      - customer: абракадабра
      - bot: понял не всё
      - customer: "100%"
      - bot: нужен человек
      - customer: вы тут?
      - silence: true
      - press: Вернуться к боту
      - bot: с вами снова бот
      - attach: image
      - bot: понимаю только текст
        rule: photo

  - name: Позвать сотрудника можно из любого места
    lines:
      - customer: возврат
      - bot: номер заказа
      - customer: позовите оператора
      - bot: Зову сотрудника
        rule: operator

  - name: Отмена заказа достаётся человеку
    lines:
      - customer: Хочу отменить заказ
      - bot: Отменить заказ может только сотрудник
        rule: cancel_order
$file$,
$json${"title":"Магазин «Ромашка»","language":"ru","parse_mode":"Markdown","state_minutes":30,"max_turns":5,"variables":{"shop":"«Ромашка»","phone":"8 800 100-20-30","email":"help@romashka.example","address":"Москва, Цветной бульвар, 15","hours":"ежедневно с 9:00 до 21:00","delivery_price":350,"free_delivery_from":3000},"fallback":{"text":"Спасибо за сообщение! Я бот-помощник магазина {{ shop }} и понял не всё.\nУточните, пожалуйста, о чём вопрос: доставка, оплата, возврат, гарантия или контакты?\n","buttons":[[{"text":"Доставка","press":"delivery"},{"text":"Оплата","press":"payment"}],[{"text":"Возврат","press":"returns"},{"text":"Гарантия","press":"warranty"}],[{"text":"Контакты","press":"contacts"},{"text":"Позвать сотрудника","press":"operator"}]],"escalate_after":3},"escalation":{"text":"Похоже, здесь нужен человек. Передаю разговор сотруднику, он ответит в этом чате.\nЕсли вопрос срочный, звоните: **{{ phone }}**, {{ hours }}.\n","nobody_text":"Здесь нужен человек, но позвать его в этот чат я не могу. Позвоните, пожалуйста: **{{ phone }}**, {{ hours }}.\nИли напишите на {{ email }}.\n","buttons":[]},"operators":{"return_minutes":30,"answer_minutes":10},"flood":{"burst":10,"per_minute":20}}$json$,
$json$[
  {"rule_id":"welcome","intent":"greeting","pattern":{"keywords":["здравствуй","привет","добрый день","добрый вечер","доброе утро","меню"],"mode":"contains"},"priority":200,"max_turns":5,"response_template":"Здравствуйте{% if customer != \"\" %}, {{ customer }}{% endif %}! Это бот-помощник магазина {{ shop }}.\nРасскажу о доставке, оплате и гарантии, помогу оформить возврат, а если не справлюсь, позову сотрудника.\nО чём ваш вопрос?","next_state":null,"state":null,"event":"start","interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Доставка","press":"delivery"},{"text":"Оплата","press":"payment"}],[{"text":"Возврат","press":"returns"},{"text":"Гарантия","press":"warranty"}],[{"text":"Контакты","press":"contacts"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"delivery","intent":"delivery","pattern":{"keywords":["доставк","курьер","самовывоз"],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"**Доставка**\n• Курьером по Москве: завтра или в удобный день, {{ delivery_price }} ₽; бесплатно при заказе от {{ free_delivery_from }} ₽.\n• По России: 2–7 дней, стоимость видна при оформлении заказа.\n• Самовывоз: {{ address }}, {{ hours }}. Заказ ждёт вас 5 дней.\nНакануне доставки курьер позвонит и согласует время.","next_state":null,"state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Оплата","press":"payment"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"payment","intent":"payment","pattern":{"keywords":["оплат","карт","счет","сбп","рассрочк"],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"**Оплата**\n• На сайте: картой или через СБП.\n• При получении: картой или наличными.\n• Для организаций: по счёту, его пришлём на почту в течение рабочего дня.\nЕсли деньги списались, а заказ не оплачен, не платите второй раз: напишите номер заказа сотруднику.","next_state":null,"state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Доставка","press":"delivery"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"returns","intent":"returns","pattern":{"keywords":["возврат","вернуть","обмен"],"mode":"contains"},"priority":50,"max_turns":5,"response_template":"Помогу оформить возврат. Вернуть товар можно в течение 14 дней после получения, если он не был в употреблении.\nНапишите, пожалуйста, **номер заказа**: он указан в письме и в СМС, например 12345.","next_state":"returns_order","state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Отменить возврат","press":"cancel"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"returns_order","intent":"returns","pattern":{"keywords":[],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"Записал заказ **{{ order_number }}**. Почему хотите вернуть товар? Выберите причину или напишите своими словами.","next_state":"returns_reason","state":"returns_order","event":null,"interrupts":false,"accepts":"order_number","save_as":"order_number","refusal_template":"Не нашёл в сообщении номера заказа. В нём от 4 до 12 цифр, например 12345; пришлите, пожалуйста, один номер.\nЕсли номера нет под рукой, нажмите «Отменить возврат» или позовите сотрудника.","action":null,"buttons":[[{"text":"Не подошёл","press":"returns_reason"},{"text":"Брак или поломка","press":"returns_reason_defect"}],[{"text":"Отменить возврат","press":"cancel"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"returns_reason_defect","intent":"returns","pattern":{"keywords":["брак","сломал","поломк","не работает","дефект","разбит"],"mode":"contains"},"priority":40,"max_turns":5,"response_template":"Простите, что так вышло. Возврат по заказу **{{ order_number }}**, причина: {{ reason }}.\n1. Сфотографируйте недостаток и упаковку.\n2. Привезите товар в магазин ({{ address }}, {{ hours }}) или вызовите курьера по телефону {{ phone }}: для вас это бесплатно.\n3. Проверим товар за 3 дня и вернём деньги или заменим его.","next_state":"default","state":"returns_reason","event":null,"interrupts":false,"accepts":"reason","save_as":"reason","refusal_template":"Напишите, пожалуйста, причину хотя бы одним словом или выберите её кнопкой.","action":null,"buttons":[[{"text":"Контакты","press":"contacts"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"returns_reason","intent":"returns","pattern":{"keywords":[],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"Готово. Возврат по заказу **{{ order_number }}**, причина: {{ reason }}.\n1. Сложите товар в упаковку с ярлыками и чеком; чек можно показать в телефоне.\n2. Привезите его в магазин ({{ address }}, {{ hours }}) или отправьте с курьером, {{ delivery_price }} ₽.\n3. Деньги вернутся тем же способом, которым вы платили, в течение 10 дней.","next_state":"default","state":"returns_reason","event":null,"interrupts":false,"accepts":"reason","save_as":"reason","refusal_template":"Напишите, пожалуйста, причину хотя бы одним словом или выберите её кнопкой.","action":null,"buttons":[[{"text":"Контакты","press":"contacts"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"warranty","intent":"warranty","pattern":{"keywords":["гаранти","ремонт","сломал","не работает"],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"**Гарантия**\nНа технику действует гарантия производителя от 12 месяцев: срок указан в талоне.\nЕсли товар сломался, не разбирайте его: привезите вместе с чеком в магазин ({{ address }}) или вызовите курьера по телефону {{ phone }}.\nДиагностика занимает до 14 дней, ремонт до 45 дней.","next_state":null,"state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Возврат","press":"returns"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"contacts","intent":"contacts","pattern":{"keywords":["контакт","телефон","адрес","где вы находитесь","режим работы","часы работы"],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"**Контакты**\nТелефон: {{ phone }}, {{ hours }}\nПочта: {{ email }}\nАдрес: {{ address }}","next_state":null,"state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"operator","intent":"operator","pattern":{"keywords":["оператор","сотрудник","живой человек","менеджер"],"mode":"contains"},"priority":10,"max_turns":5,"response_template":"Зову сотрудника: он прочитает переписку и ответит здесь. Мы на связи {{ hours }}.\nМожно и позвонить: **{{ phone }}**.","next_state":null,"state":null,"event":null,"interrupts":true,"accepts":null,"save_as":null,"refusal_template":null,"action":"escalate","buttons":[],"media":[]},
  {"rule_id":"cancel_order","intent":"cancel_order","pattern":{"keywords":["отменить заказ","отмена заказа","отмену заказа","отмените заказ","отменить покупк"],"mode":"contains"},"priority":15,"max_turns":5,"response_template":"Отменить заказ может только сотрудник, зову его: он прочитает переписку и ответит здесь.\nНапишите, пожалуйста, номер заказа, если ещё не написали. Мы на связи {{ hours }}, телефон **{{ phone }}**.","next_state":null,"state":null,"event":null,"interrupts":true,"accepts":null,"save_as":null,"refusal_template":null,"action":"escalate","buttons":[],"media":[]},
  {"rule_id":"cancel","intent":"cancel","pattern":{"keywords":["отмен","передумал","/cancel"],"mode":"contains"},"priority":20,"max_turns":5,"response_template":"Хорошо, на этом остановимся. Если понадобится помощь, просто напишите.","next_state":"default","state":null,"event":null,"interrupts":true,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Доставка","press":"delivery"},{"text":"Оплата","press":"payment"}],[{"text":"Возврат","press":"returns"},{"text":"Гарантия","press":"warranty"}],[{"text":"Контакты","press":"contacts"},{"text":"Позвать сотрудника","press":"operator"}]],"media":[]},
  {"rule_id":"thanks","intent":"thanks","pattern":{"keywords":["спасибо","благодар"],"mode":"contains"},"priority":300,"max_turns":5,"response_template":"Пожалуйста! Если появятся ещё вопросы, пишите.","next_state":null,"state":null,"event":null,"interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[],"media":[]},
  {"rule_id":"photo","intent":"photo","pattern":{"keywords":[],"mode":"contains"},"priority":100,"max_turns":5,"response_template":"Спасибо, файл получил, но рассмотреть его не могу: я понимаю только текст.\nНапишите, пожалуйста, в чём вопрос, или позовите сотрудника: он увидит файл.","next_state":null,"state":null,"event":"attachment","interrupts":false,"accepts":null,"save_as":null,"refusal_template":null,"action":null,"buttons":[[{"text":"Позвать сотрудника","press":"operator"}]],"media":[]}
]$json$, 'seed.sql')
where not exists (select from shopbot.bot_releases where workspace_id = '00000000-0000-7000-8000-000000000001');
