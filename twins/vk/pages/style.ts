export const style = `
:root { color-scheme: light; --blue: #2688eb; --link: #2a5885; --grey: #818c99; --line: #e7e8ec; }
* { box-sizing: border-box; }
body { margin: 0; background: #edeef0; color: #000; font: 15px/1.45 system-ui, "Noto Sans", sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
small { color: var(--grey); font-size: 13px; }
nav { background: #fff; border-bottom: 1px solid #dce1e6; position: sticky; top: 0; z-index: 1; }
nav div { max-width: 900px; margin: 0 auto; padding: 9px 16px; display: flex; align-items: center; gap: 10px; }
nav b { font-size: 17px; letter-spacing: -.01em; }
nav small { background: #f0f2f5; border-radius: 10px; padding: 1px 9px; }
main { max-width: 900px; margin: 16px auto 48px; padding: 0 16px; }
main.single { max-width: 600px; }
main.alone { max-width: 480px; margin-top: 20vh; text-align: center; }
.card { background: #fff; border-radius: 12px; border: 1px solid #dce1e6; }
.face { border-radius: 50%; display: block; flex: none; }
.group { overflow: hidden; margin-bottom: 16px; }
.cover { height: 168px; }
.who { display: flex; align-items: flex-end; gap: 18px; padding: 0 22px 20px; }
.who > div { flex: 1; padding-top: 16px; }
.who .face { width: 128px; height: 128px; margin-top: -44px; border: 4px solid #fff; background: #fff; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 2px; }
.who p { margin: 0 0 4px; color: #2c2d2e; }
.join { background: #f0f2f5; color: var(--link); border-radius: 8px; padding: 7px 16px; font-weight: 500; font-size: 14px; margin-bottom: 8px; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 268px; gap: 16px; align-items: start; }
.posts { display: grid; gap: 16px; }
.tabs { padding: 12px 20px; display: flex; gap: 8px; }
.tabs b { font-weight: 600; }
.tabs span { color: var(--grey); }
.empty { padding: 56px 20px; text-align: center; color: var(--grey); }
aside { padding: 16px 20px; position: sticky; top: 66px; }
h2 { font-size: 14px; margin: 0 0 10px; }
dl { margin: 0; font-size: 13px; display: grid; grid-template-columns: auto 1fr; gap: 7px 14px; }
dt { color: var(--grey); }
dd { margin: 0; overflow-wrap: anywhere; }
.post { padding: 16px 20px 8px; scroll-margin-top: 66px; min-width: 0; }
.by { display: flex; gap: 12px; align-items: center; }
.by .face { width: 44px; height: 44px; }
.by b { display: block; color: var(--link); font-weight: 600; line-height: 1.3; }
.by small a { color: inherit; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 12px 0; }
.text .mark { color: var(--link); }
.photos { display: grid; gap: 3px; margin: 12px -20px; }
.row { display: flex; gap: 3px; width: 100%; overflow: hidden; }
.row img { min-width: 0; width: 0; height: 100%; object-fit: cover; background: #f0f2f5; }
.link { display: block; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; margin: 12px 0; color: #000; }
.link:hover { text-decoration: none; border-color: #c5d0db; }
.link .sky { display: block; height: 150px; background: linear-gradient(160deg, #d6e6f7, #f2f6fb 60%, #e3ecf5); }
.link .about { display: block; padding: 12px 16px; border-left: 3px solid var(--blue); }
.link.large .about { border-left: 0; }
.link b { display: block; font-weight: 600; overflow-wrap: anywhere; }
.signer { color: var(--grey); font-size: 13px; margin: 8px 0; overflow-wrap: anywhere; }
footer { display: flex; gap: 8px; padding: 6px 0 6px; }
footer span { background: #f0f2f5; border-radius: 16px; padding: 4px 14px; font-size: 13px; color: #67717c; }
@media (max-width: 720px) {
  main { padding: 0 0 24px; margin-top: 0; }
  .columns { grid-template-columns: minmax(0, 1fr); }
  aside { display: none; }
  .card { border-radius: 0; border-width: 0 0 1px; }
  .cover { height: 110px; }
  .who { flex-wrap: wrap; padding: 0 16px 16px; gap: 12px; }
  .who .face { width: 88px; height: 88px; }
}
`;
