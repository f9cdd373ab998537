/*
 * Large boards on small screens: cells that a finger hits, and scrolling to see the rest.
 */
import { h } from "./dom.js";
import { text } from "./language.js";

const SMALL_PX = 32; /* cells smaller than this can be enlarged */

/* A switch that is shown only where cells are small. */
export function zoomSwitch(board) {
    const button = h(
        "button",
        {
            class: "small toggle",
            hidden: true,
            "aria-pressed": "false",
            onclick: () => {
                const isZoomed = board.frame.classList.toggle("is-zoomed");
                button.setAttribute("aria-pressed", String(isZoomed));
                board.showCursor();
            },
        },
        text.match.zoom,
    );
    new ResizeObserver(() => {
        const isZoomed = board.frame.classList.contains("is-zoomed");
        button.hidden = !isZoomed && !(board.cellSize() < SMALL_PX);
    }).observe(board.frame);
    return button;
}
