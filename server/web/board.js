/*
 * A board of square cells as SVG: layers, cells that can be pointed at, and a cursor for the
 * keyboard.  It knows no rules.
 *
 * Cells are those of the wire.  `isTurned` rotates the picture, never the coordinates: a player who
 * sits at the top sees their own side at the bottom.
 */
import { h, svg, put } from "./dom.js";
import { CELL } from "./pieces.js";

const LAYERS = ["ground", "threats", "traces", "marks", "reach", "things", "pieces", "plans", "guide", "effects"];
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const EDGE = 14; /* for the coordinates */

export class Board {
    /*
     * Calls choose(cell), point(cell or null) and cancel(); gets the text for screen readers from
     * describe(cell) and more lines from detail(cell).
     */
    constructor(listener = {}) {
        this.listener = listener;
        this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: `layer-${name}` })]));
        this.cells = svg("g", { class: "layer-cells" });
        this.labels = svg("g", { class: "labels", "aria-hidden": "true" });
        this.cursor = svg("rect", { class: "cursor", width: CELL, height: CELL, rx: 4 });
        this.element = svg(
            "svg",
            { class: "board", tabindex: 0, role: "application", "aria-roledescription": "board" },
            this.layers.ground,
            this.labels,
            ...LAYERS.slice(1).map((name) => this.layers[name]),
            this.cursor,
            this.cells,
        );
        this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" }); /* the voice reads it */
        this.frame = h("div", { class: "board-frame" }, this.element, this.tip);
        new ResizeObserver(() => {
            if (!this.tip.hidden) {
                this.showTip(this.tipped); /* its place was another one */
            }
        }).observe(this.frame);
        this.isFlipped = false; /* the player wants the view from the other side */
        this.voice = null; /* an aria-live element of the screen that shows the board */
        this.listen();
    }

    /* ---- geometry ---- */

    setBounds({ x = 0, y = 0, cols, rows }, isOther = false) {
        const isTurned = isOther !== this.isFlipped;
        const same = this.bounds !== undefined && [x, y, cols, rows, isTurned].join() === this.boundsKey;
        if (same) {
            return;
        }
        this.bounds = { x, y, cols, rows };
        this.boundsKey = [x, y, cols, rows, isTurned].join();
        this.isTurned = isTurned;
        this.cursorAt ??= [x + Math.floor(cols / 2), y + Math.floor(rows / 2)];
        if (!this.holds(this.cursorAt)) {
            this.cursorAt = [x + Math.floor(cols / 2), y + Math.floor(rows / 2)];
        }
        this.element.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${cols * CELL + 2 * EDGE} ${rows * CELL + 2 * EDGE}`);
        this.frame.style.setProperty("--cols", cols);
        this.element.style.setProperty("--shape", `${cols * CELL + 2 * EDGE} / ${rows * CELL + 2 * EDGE}`);
        this.drawCells();
        this.drawLabels();
        this.moveCursor(this.cursorAt);
    }

    /* How large a cell is on the screen, in pixels; NaN: the board is not drawn yet. */
    cellSize() {
        return this.cells.firstElementChild?.getBoundingClientRect().width ?? NaN;
    }

    holds([x, y]) {
        const { bounds } = this;
        return x >= bounds.x && y >= bounds.y && x < bounds.x + bounds.cols && y < bounds.y + bounds.rows;
    }

    /* The centre of a cell in the picture. */
    place([x, y]) {
        const { bounds, isTurned } = this;
        const column = isTurned ? bounds.cols - 1 - (x - bounds.x) : x - bounds.x;
        const row = isTurned ? bounds.rows - 1 - (y - bounds.y) : y - bounds.y;
        return [(column + 0.5) * CELL, (row + 0.5) * CELL];
    }

    every() {
        const { x, y, cols, rows } = this.bounds;
        return Array.from({ length: cols * rows }, (_, i) => [x + (i % cols), y + Math.floor(i / cols)]);
    }

    drawCells() {
        put(
            this.cells,
            this.every().map((cell) => {
                const [x, y] = this.place(cell);
                return svg("rect", {
                    class: "cell",
                    "data-cell": cell.join(),
                    x: x - CELL / 2,
                    y: y - CELL / 2,
                    width: CELL,
                    height: CELL,
                });
            }),
        );
    }

    drawLabels() {
        const { x, y, cols, rows } = this.bounds;
        const across = Array.from({ length: cols }, (_, i) =>
            svg("text", { x: this.place([x + i, y])[0], y: rows * CELL + 10 }, String(x + i)),
        );
        const down = Array.from({ length: rows }, (_, i) =>
            svg("text", { x: -7, y: this.place([x, y + i])[1] + 3 }, String(y + i)),
        );
        put(this.labels, across, down);
    }

    /* ---- drawing ---- */

    clear(...names) {
        for (const name of names) {
            put(this.layers[name]);
        }
    }

    /* Puts an element at a cell, from where it can travel. */
    add(layer, cell, element) {
        const [x, y] = this.place(cell);
        element.style.transform = `translate(${x}px, ${y}px)`;
        this.layers[layer].append(element);
        return element;
    }

    square(layer, cell, className) {
        const inset = 1.2;
        return this.add(
            layer,
            cell,
            svg("rect", {
                class: className,
                x: -CELL / 2 + inset,
                y: -CELL / 2 + inset,
                width: CELL - 2 * inset,
                height: CELL - 2 * inset,
                rx: 3,
            }),
        );
    }

    /* A line along cells with an arrow head, shortened so that pieces stay visible. */
    arrow(layer, cells, className) {
        const places = cells.map((cell) => this.place(cell));
        const [x, y] = places.at(-1);
        const [fromX, fromY] = places.at(-2);
        const angle = Math.atan2(y - fromY, x - fromX);
        const end = [x - 6 * Math.cos(angle), y - 6 * Math.sin(angle)];
        const d = [...places.slice(0, -1), end].map((place, i) => `${i === 0 ? "M" : "L"}${place.join(" ")}`).join("");
        const head = `M${x} ${y}L${[-0.5, 0.5]
            .map((turn) => `${x - 11 * Math.cos(angle + turn)} ${y - 11 * Math.sin(angle + turn)}`)
            .join("L")}Z`;
        const group = svg(
            "g",
            { class: `arrow ${className}` },
            svg("path", { d, class: "shaft" }),
            svg("path", { d: head, class: "head" }),
        );
        this.layers[layer].append(group);
        return group;
    }

    note(layer, cell, text, className) {
        const note = svg("g", { class: className }, svg("text", { y: -14 }, text));
        return this.add(layer, cell, note);
    }

    /* ---- pointer and keys ---- */

    cellOf(event) {
        const name = event.target.getAttribute?.("data-cell");
        return name === null || name === undefined ? null : name.split(",").map(Number);
    }

    listen() {
        this.element.addEventListener("click", (event) => {
            const cell = this.cellOf(event);
            if (cell !== null) {
                this.cursorAt = cell;
                this.moveCursor(cell);
                this.listener.choose?.(cell);
                this.showTip(cell); /* touch does not hover */
            }
        });
        this.element.addEventListener("pointermove", (event) => {
            this.pointAt(this.cellOf(event));
        });
        this.element.addEventListener("pointerleave", () => this.pointAt(null));
        this.element.addEventListener("keydown", (event) => this.key(event));
        this.element.addEventListener("focus", () => this.say());
    }

    pointAt(cell) {
        if (String(cell) !== String(this.pointed)) {
            this.pointed = cell;
            this.listener.point?.(cell);
            this.showTip(cell);
        }
    }

    /* Shows what is on a cell, above it; nothing for an empty one. */
    showTip(cell) {
        const words = (cell === null ? undefined : this.listener.describe?.(cell)) || "";
        this.tipped = cell;
        this.tip.hidden = !words.includes(", ");
        if (this.tip.hidden) {
            return;
        }
        put(
            this.tip,
            words,
            (this.listener.detail?.(cell) ?? []).map((line) => h("div", {}, line)),
        );
        const frame = this.frame.getBoundingClientRect();
        const at = this.cells.querySelector(`[data-cell="${cell}"]`).getBoundingClientRect();
        const left = Math.max(
            0,
            Math.min(
                at.left + at.width / 2 - frame.left - this.tip.offsetWidth / 2,
                frame.width - this.tip.offsetWidth,
            ),
        );
        const above = at.top - frame.top - this.tip.offsetHeight - 4;
        this.tip.style.left = `${left + this.frame.scrollLeft}px`;
        this.tip.style.top = `${(above < 0 ? at.bottom - frame.top + 4 : above) + this.frame.scrollTop}px`;
    }

    key(event) {
        if (event.key in ARROWS) {
            const sign = this.isTurned ? -1 : 1;
            const [dx, dy] = ARROWS[event.key];
            const next = [this.cursorAt[0] + sign * dx, this.cursorAt[1] + sign * dy];
            if (this.holds(next)) {
                this.moveCursor(next);
                this.showCursor();
                this.pointAt(next);
                this.say();
            }
        } else if (event.key === "Enter" || event.key === " ") {
            const before = this.voice?.textContent;
            this.listener.choose?.(this.cursorAt);
            if (this.voice?.textContent === before) {
                this.say(); /* otherwise the order was told */
            }
        } else if (event.key === "Escape") {
            this.listener.cancel?.();
        } else {
            return;
        }
        event.preventDefault();
    }

    moveCursor(cell) {
        this.cursorAt = cell;
        const [x, y] = this.place(cell);
        this.cursor.setAttribute("x", x - CELL / 2);
        this.cursor.setAttribute("y", y - CELL / 2);
    }

    /* An enlarged board scrolls to the cursor. */
    showCursor() {
        if (this.frame.classList.contains("is-zoomed")) {
            this.cells
                .querySelector(`[data-cell="${this.cursorAt}"]`)
                ?.scrollIntoView({ block: "nearest", inline: "nearest" });
        }
    }

    say() {
        const text = this.listener.describe?.(this.cursorAt);
        if (this.voice !== null && text !== undefined) {
            this.voice.textContent = text;
        }
    }
}
