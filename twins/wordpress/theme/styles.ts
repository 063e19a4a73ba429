/** One stylesheet for all pages: a column for reading, cards for the list, light and dark. */
export const styles = `
:root { color-scheme: light dark; --ink: #1d2327; --soft: #646970; --line: #e2e4e7; --paper: #ffffff; --back: #f6f7f7; --accent: #0a6b8f; --tint: #e8f3f7 }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecef; --soft: #a0a7ae; --line: #30363c; --paper: #1b2025; --back: #14181c; --accent: #6cc3e0; --tint: #1d3038 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 17px/1.65 system-ui, "Noto Sans", sans-serif; -webkit-font-smoothing: antialiased }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px }
header.site { background: var(--paper); border-bottom: 1px solid var(--line) }
.brand { display: flex; align-items: center; gap: 14px; max-width: 1080px; margin: 0 auto; padding: 18px 24px; color: inherit; text-decoration: none }
.brand strong { display: block; font-size: 19px; line-height: 1.25 }
.brand small { color: var(--soft); font-size: 14px }
.mark { width: 42px; height: 42px; border-radius: 12px; display: grid; place-items: center; background: var(--accent); color: var(--paper); font-weight: 700; font-size: 21px }
main { max-width: 1080px; margin: 0 auto; padding: 36px 24px 64px }
footer.site { text-align: center; color: var(--soft); font-size: 14px; padding: 0 24px 48px }
.lead { font-size: 30px; line-height: 1.2; letter-spacing: -.01em; margin: 0 0 24px }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 24px }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; display: flex; flex-direction: column }
.card > img, .card > .blank { width: 100%; aspect-ratio: 16/9; object-fit: cover; display: block; background: var(--tint) }
.card .text { padding: 18px 20px 20px }
.card h2 { font-size: 20px; line-height: 1.3; margin: 4px 0 8px; overflow-wrap: anywhere }
.card h2 a { color: inherit; text-decoration: none }
.card h2 a:hover { color: var(--accent) }
.card p { margin: 0; color: var(--soft); font-size: 15px; line-height: 1.55 }
.note { color: var(--soft); font-size: 14px; margin: 0 }
article.post { max-width: 740px; margin: 0 auto; background: var(--paper); border: 1px solid var(--line); border-radius: 20px; padding: 40px 48px 44px; overflow-wrap: anywhere }
article.post > h1 { font-size: 38px; line-height: 1.16; letter-spacing: -.02em; margin: 10px 0 12px; text-wrap: balance }
article.post > .hero { margin: 26px -48px 30px }
article.post > .hero img { width: 100%; max-height: 460px; object-fit: cover; border-radius: 0 }
.hero figcaption { padding: 0 48px }
.entry h2 { font-size: 27px; line-height: 1.25; margin: 1.7em 0 .6em; letter-spacing: -.01em }
.entry h3 { font-size: 21px; line-height: 1.3; margin: 1.5em 0 .5em }
.entry p, .entry ul, .entry ol { margin: 0 0 1.1em }
.entry li { margin: .3em 0 }
.entry img { max-width: 100%; height: auto; border-radius: 12px; display: block }
figure { margin: 1.8em 0 }
figcaption { color: var(--soft); font-size: 14px; margin-top: 8px; text-align: center }
blockquote { margin: 1.6em 0; padding: 4px 0 4px 20px; border-left: 4px solid var(--accent); color: var(--soft) }
table { border-collapse: collapse; width: 100%; margin: 1.4em 0; font-size: 16px; display: block; overflow-x: auto }
td, th { border: 1px solid var(--line); padding: 8px 12px; text-align: left; vertical-align: top }
th { background: var(--tint) }
pre { overflow-x: auto; background: var(--back); padding: 16px; border-radius: 12px; font-size: 15px }
.contents { background: var(--tint); border-radius: 14px; padding: 18px 24px; margin: 0 0 28px }
.contents strong { display: block; margin-bottom: 6px }
.contents ol { margin: 0; padding-left: 1.3em }
.contents .inner { list-style: none; padding-left: 1em; font-size: 16px; counter-increment: list-item 0 }
.contents a { text-decoration: none }
.terms { display: flex; flex-wrap: wrap; gap: 8px; margin: 30px 0 0; padding-top: 24px; border-top: 1px solid var(--line) }
.terms a { background: var(--tint); border-radius: 999px; padding: 4px 14px; font-size: 14px; text-decoration: none }
.kicker { font-size: 14px; font-weight: 600; text-decoration: none }
.empty { text-align: center; color: var(--soft); padding: 80px 0 }
main > article.card { max-width: 560px; margin: 24px auto; padding: 28px 32px }
main > article.card h1 { font-size: 26px; line-height: 1.2; margin: 0 0 12px }
main > article.card p { color: inherit; font-size: 16px }
form label { display: block; margin: 20px 0 0; font-size: 15px; color: var(--soft) }
select { font: inherit; display: block; width: 100%; margin-top: 6px; padding: 9px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink) }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 24px !important }
button { font: inherit; font-weight: 600; padding: 10px 18px; border-radius: 10px; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer }
button.quiet { background: transparent; color: var(--accent) }
button:focus-visible, a:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 700px) { body { font-size: 16px } main { padding: 20px 14px 48px } article.post { padding: 24px 20px 28px; border-radius: 16px } article.post > h1 { font-size: 29px } article.post > .hero { margin: 20px -20px 24px } .hero figcaption { padding: 0 20px } }
`;
