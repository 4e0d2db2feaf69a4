// The client's drawings. They stand in the page itself, so that they are there before any script.
import type { Plugin } from "vite";

/** Symbols, none of which the page shows by itself. They stand first in it: below all else they would make it longer. */
const DRAWINGS = `<svg width="0" height="0" class="hush" aria-hidden="true"><defs>
  <symbol id="suit-s" viewBox="0 0 32 32"><path d="M16 2C20.4 8 29 12.4 29 19.2a6.2 6.2 0 0 1-10.8 4.2c.3 2.7 1.4 4.8 3.2 6.6H10.6c1.8-1.8 2.9-3.9 3.2-6.6A6.2 6.2 0 0 1 3 19.2C3 12.4 11.6 8 16 2z"/></symbol>
  <symbol id="suit-h" viewBox="0 0 32 32"><path d="M16 29C9.4 24 2.5 18.6 2.5 11.5 2.5 7 5.9 3.8 9.8 3.8c2.6 0 4.9 1.4 6.2 3.7 1.3-2.3 3.6-3.7 6.2-3.7 3.9 0 7.3 3.2 7.3 7.7C29.5 18.6 22.6 24 16 29z"/></symbol>
  <symbol id="suit-d" viewBox="0 0 32 32"><path d="M16 1.5c2.9 5.3 6.9 10.3 11.5 14.5C22.9 20.2 18.9 25.2 16 30.5 13.1 25.2 9.1 20.2 4.5 16 9.1 11.8 13.1 6.8 16 1.5z"/></symbol>
  <symbol id="suit-c" viewBox="0 0 32 32"><path d="M16 2a6.5 6.5 0 0 1 5.6 9.8 6.5 6.5 0 1 1-3.4 11.7c.3 2.5 1.4 4.7 3.2 6.5H10.6c1.8-1.8 2.9-4 3.2-6.5a6.5 6.5 0 1 1-3.4-11.7A6.5 6.5 0 0 1 16 2z"/></symbol>
  <symbol id="pineapple" viewBox="0 0 32 32"><path d="M16 12.6c4.3 0 7.2 3 7.2 7.6S20.3 28 16 28s-7.2-3.2-7.2-7.8 2.9-7.6 7.2-7.6z" fill="#f4b942"/><path d="M10.3 16.2l9.2 10.6M21.7 16.2l-9.2 10.6M13.4 13.4l8.6 9.6M18.6 13.4L10 23" stroke="#a86f0c" stroke-width="1.3" fill="none"/><path d="M16 12.8c-.6-3.8-2.7-6.5-6-7.6 3.3-.3 5 1 6 3.4 0-2 .1-3.6 0-5.6 1.4 1.7 1.4 3.6 0 5.6 1-2.4 2.7-3.7 6-3.4-3.3 1.1-5.4 3.8-6 7.6z" fill="#3fa672"/></symbol>
  <symbol id="back" viewBox="0 0 24 24"><path d="M15 5l-7 7 7 7"/></symbol>
  <symbol id="menu" viewBox="0 0 24 24"><path d="M5 7h14M5 12h14M5 17h9"/></symbol>
  <symbol id="undo" viewBox="0 0 24 24"><path d="M8.5 5l-4 4 4 4M5 9h8.5a5.5 5.5 0 0 1 0 11H9"/></symbol>
  <symbol id="reset" viewBox="0 0 24 24"><path d="M5 12a7 7 0 1 0 2.3-5.2L5 9M5 4.5V9h4.5"/></symbol>
  <symbol id="sort" viewBox="0 0 24 24"><path d="M8 19V5M8 5L4.5 8.5M8 5l3.5 3.5M16 5v14M16 19l-3.5-3.5M16 19l3.5-3.5"/></symbol>
  <symbol id="warning" viewBox="0 0 24 24"><path d="M12 4L3 19.5h18L12 4zM12 10v4.5M12 17v.1"/></symbol>
  <symbol id="check" viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></symbol>
  <symbol id="invite" viewBox="0 0 24 24"><path d="M10 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 20c.4-3.4 3-5.5 6.5-5.5s6.1 2.1 6.5 5.5M18.5 8v6M15.5 11h6"/></symbol>
  <symbol id="offline" viewBox="0 0 24 24"><path d="M4 4l16 16M5 12.5c1-1 2.2-1.7 3.5-2.1M2.5 9c1-.9 2-1.6 3.2-2.2M11 6c3.9-.3 7.6.8 10.5 3M16 10.5c1.1.5 2.1 1.2 3 2M9 16.2a5 5 0 0 1 6 0M12 19.5v.1"/></symbol>
  <symbol id="say" viewBox="0 0 24 24"><path d="M5.5 5h13A1.5 1.5 0 0 1 20 6.5v9a1.5 1.5 0 0 1-1.5 1.5H12l-4.5 3.5V17h-2A1.5 1.5 0 0 1 4 15.5v-9A1.5 1.5 0 0 1 5.5 5z"/></symbol>
  <symbol id="deck" viewBox="0 0 24 24"><path d="M5 4.5h5.5v6.5H5zM13.5 4.5H19v6.5h-5.5zM5 13.5h5.5V20H5zM13.5 13.5H19V20h-5.5z"/></symbol>
  <symbol id="up" viewBox="0 0 12 12"><path d="M6 1.5L11 10.5H1z"/></symbol>
  <symbol id="down" viewBox="0 0 12 12"><path d="M6 10.5L1 1.5h10z"/></symbol>
  <symbol id="share" viewBox="0 0 24 24"><path d="M12 15V4M12 4L8 8M12 4l4 4M5 13v5.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V13"/></symbol>
  <symbol id="copy" viewBox="0 0 24 24"><path d="M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5 15V5a1 1 0 0 1 1-1h9"/></symbol>
  <symbol id="close" viewBox="0 0 24 24"><path d="M6 6l12 12M18 6L6 18"/></symbol>
  <symbol id="pause" viewBox="0 0 24 24"><path d="M9 6v12M15 6v12"/></symbol>
  <symbol id="last" viewBox="0 0 24 24"><path d="M4.5 12a7.5 7.5 0 1 1 2.2 5.3M4.5 12L2.5 9.5M4.5 12L7 10M12 8v4.5l3 1.5"/></symbol>
  <symbol id="play" viewBox="0 0 24 24"><path d="M7.5 4.8v14.4L19 12z" fill="currentColor"/></symbol>
  <symbol id="table" viewBox="0 0 24 24"><path d="M4.5 6.5l7-2 3.6 12.6-7 2zM13.5 7h5a1 1 0 0 1 1 1v10.5a1 1 0 0 1-1 1h-4"/></symbol>
  <symbol id="lesson" viewBox="0 0 24 24"><path d="M12 5L2.5 9.5 12 14l9.5-4.5zM6.5 11.5v4.7c3 2.4 8 2.4 11 0v-4.7M21.5 9.5V15"/></symbol>
  <symbol id="book" viewBox="0 0 24 24"><path d="M12 6.5C9.5 5 7 4.5 4 4.5v13.5c3 0 5.5.5 8 2 2.5-1.5 5-2 8-2V4.5c-3 0-5.5.5-8 2zM12 6.5V20"/></symbol>
  <symbol id="review" viewBox="0 0 24 24"><path d="M3.5 17.5l5.5-6 4.5 4 7-8.5M15.5 6.5h5v5"/></symbol>
  <symbol id="person" viewBox="0 0 24 24"><path d="M12 11.5a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2zM5 20c.4-3.5 3.3-5.6 7-5.6s6.6 2.1 7 5.6"/></symbol>
  <symbol id="install" viewBox="0 0 24 24"><path d="M12 4v10M12 14l-4-4M12 14l4-4M5 16v2.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V16"/></symbol>
  <symbol id="puzzle" viewBox="0 0 24 24"><path d="M9.5 6.5V6a2.5 2.5 0 0 1 5 0v.5H18a1 1 0 0 1 1 1V11h-.5a2.5 2.5 0 0 0 0 5h.5v3.5a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V16h.5a2.5 2.5 0 0 0 0-5H5V7.5a1 1 0 0 1 1-1z"/></symbol>
  <symbol id="shield" viewBox="0 0 24 24"><path d="M12 3.5l7 2.5v5.5c0 4.3-2.8 7.4-7 9-4.2-1.6-7-4.7-7-9V6z"/></symbol>
  <symbol id="proved" viewBox="0 0 24 24"><path d="M12 3.5l7 2.5v5.5c0 4.3-2.8 7.4-7 9-4.2-1.6-7-4.7-7-9V6zM8.7 11.8l2.4 2.4 4.3-4.6"/></symbol>
  <symbol id="device" viewBox="0 0 24 24"><path d="M3.5 17V7a1 1 0 0 1 1-1h11M2 19.5h10M15 10h5.5a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H15a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1z"/></symbol>
</defs></svg>`;

export function drawings(): Plugin {
  return {
    name: "drawings",
    transformIndexHtml: (html) => html.replace("<body>", `<body>${DRAWINGS.replace(/\n\s*/g, "")}`),
  };
}
