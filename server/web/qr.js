/*
 * QR codes (ISO/IEC 18004): a text as bytes, error correction level M, versions 1 to 20.
 *
 * Loaded only by the dialog that shows one.
 */
import { svg } from "./dom.js";

const VERSION_MAX = 20;
const LEVEL_M = 0; /* its two bits in the format information */
/* Level M, by version: codewords for error correction in each block, and blocks. */
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const QUIET = 4; /* empty modules around the code */

const MASKS = [
    (x, y) => (x + y) % 2 === 0,
    (x, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
    (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const sizeOf = (version) => 17 + 4 * version;

/* ---- codewords ---- */

/* The centres of the alignment patterns along one side. */
function alignments(version) {
    if (version === 1) {
        return [];
    }
    const count = Math.floor(version / 7) + 2;
    const step = 2 * Math.ceil((4 * version + 4) / (2 * count - 2));
    const last = sizeOf(version) - 7;
    return [6, ...Array.from({ length: count - 1 }, (_, i) => last - (count - 2 - i) * step)];
}

/* All codewords of a version: the modules that are left beside the patterns. */
function codewords(version) {
    const size = sizeOf(version);
    const aligned = alignments(version).length;
    const inTiming = Math.max(0, 2 * (aligned - 2)); /* these lie on the timing patterns */
    const alignment = aligned === 0 ? 0 : 25 * (aligned * aligned - 3) - 5 * inTiming;
    const patterns = 3 * 64 + 2 * (size - 16) + alignment + 31 + (version >= 7 ? 36 : 0);
    return Math.floor((size * size - patterns) / 8);
}

const capacity = (version) => codewords(version) - CORRECTION[version] * BLOCKS[version];
const lengthBits = (version) => (version < 10 ? 8 : 16);

function versionFor(bytes) {
    for (let version = 1; version <= VERSION_MAX; version++) {
        if (4 + lengthBits(version) + 8 * bytes.length <= 8 * capacity(version)) {
            return version;
        }
    }
    throw new RangeError(`${bytes.length} bytes are too many for a QR code`);
}

/* Mode, length, bytes, and padding up to the version's capacity. */
function dataWords(bytes, version) {
    const bits = [];
    const put = (value, count) => {
        for (let i = count - 1; i >= 0; i--) {
            bits.push((value >> i) & 1);
        }
    };
    put(4, 4); /* bytes */
    put(bytes.length, lengthBits(version));
    bytes.forEach((byte) => put(byte, 8));
    put(0, Math.min(4, 8 * capacity(version) - bits.length));
    put(0, (8 - (bits.length % 8)) % 8);
    const words = [];
    for (let i = 0; i < bits.length; i += 8) {
        words.push(parseInt(bits.slice(i, i + 8).join(""), 2));
    }
    for (let pad = 0xec; words.length < capacity(version); pad ^= 0xec ^ 0x11) {
        words.push(pad);
    }
    return words;
}

/* ---- error correction: Reed-Solomon over GF(256) with x^8 + x^4 + x^3 + x^2 + 1 ---- */

function times(a, b) {
    let product = 0;
    for (let bit = 7; bit >= 0; bit--) {
        product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
        product ^= (b >> bit) & 1 ? a : 0;
    }
    return product;
}

/* The product of (x - 2^i) for i < degree, without its leading 1. */
function divisor(degree) {
    const result = [...Array(degree - 1).fill(0), 1];
    for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
        for (let j = 0; j < degree; j++) {
            result[j] = times(result[j], root) ^ (result[j + 1] ?? 0);
        }
    }
    return result;
}

function remainder(words, by) {
    const rest = by.map(() => 0);
    for (const word of words) {
        const factor = word ^ rest.shift();
        rest.push(0);
        by.forEach((coefficient, i) => {
            rest[i] ^= times(coefficient, factor);
        });
    }
    return rest;
}

/* Blocks of nearly the same length, the shorter ones first, read column by column. */
function interleaved(words, version) {
    const count = BLOCKS[version];
    const short = Math.floor(words.length / count);
    const long = words.length % count; /* so many blocks have one more */
    const by = divisor(CORRECTION[version]);
    let from = 0;
    const blocks = Array.from({ length: count }, (_, i) => {
        const length = short + (i < count - long ? 0 : 1);
        const data = words.slice(from, (from += length));
        return { data, correction: remainder(data, by) };
    });
    const columns = (part) =>
        Array.from({ length: Math.max(...blocks.map((block) => block[part].length)) }, (_, i) =>
            blocks.map((block) => block[part][i]).filter((word) => word !== undefined),
        ).flat();
    return [...columns("data"), ...columns("correction")];
}

/* ---- modules ---- */

class Code {
    constructor(version) {
        this.version = version;
        this.size = sizeOf(version);
        this.dark = Array.from({ length: this.size }, () => Array(this.size).fill(false));
        this.fixed = Array.from({ length: this.size }, () => Array(this.size).fill(false));
        this.drawPatterns();
    }

    set(x, y, isDark) {
        this.dark[y][x] = Boolean(isDark);
        this.fixed[y][x] = true;
    }

    /* A square ring pattern: dark, light, dark ... from its centre. */
    drawSquare(cx, cy, radius, isDark) {
        for (let y = Math.max(0, cy - radius); y <= Math.min(this.size - 1, cy + radius); y++) {
            for (let x = Math.max(0, cx - radius); x <= Math.min(this.size - 1, cx + radius); x++) {
                this.set(x, y, isDark(Math.max(Math.abs(x - cx), Math.abs(y - cy))));
            }
        }
    }

    drawPatterns() {
        const { size, version } = this;
        for (let i = 0; i < size; i++) {
            this.set(6, i, i % 2 === 0);
            this.set(i, 6, i % 2 === 0);
        }
        const centres = alignments(version);
        const last = centres.length - 1;
        centres.forEach((x, i) =>
            centres.forEach((y, j) => {
                const isCorner = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0);
                isCorner || this.drawSquare(x, y, 2, (ring) => ring !== 1);
            }),
        );
        for (const [x, y] of [
            [3, 3],
            [size - 4, 3],
            [3, size - 4],
        ]) {
            this.drawSquare(x, y, 4, (ring) => ring !== 2 && ring !== 4);
        }
        this.drawFormat(0);
        if (version >= 7) {
            this.drawVersion();
        }
    }

    /* The level and the mask with 10 bits of correction, twice. */
    drawFormat(mask) {
        const { size } = this;
        const data = (LEVEL_M << 3) | mask;
        const bits = ((data << 10) | checkBits(data, 10, 0x537)) ^ 0x5412;
        const bit = (i) => (bits >> i) & 1;
        for (let i = 0; i < 15; i++) {
            const down = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
            const across = i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i;
            this.set(8, down, bit(i));
            this.set(across, 8, bit(i));
        }
        this.set(8, size - 8, true); /* always dark */
    }

    drawVersion() {
        const bits = (this.version << 12) | checkBits(this.version, 12, 0x1f25);
        for (let i = 0; i < 18; i++) {
            const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
            this.set(a, b, (bits >> i) & 1);
            this.set(b, a, (bits >> i) & 1);
        }
    }

    /* Upwards and downwards in columns of two, from the right; the timing column is left out. */
    drawWords(words) {
        const { size } = this;
        const bits = words.flatMap((word) => Array.from({ length: 8 }, (_, i) => (word >> (7 - i)) & 1));
        let next = 0;
        let isUp = true;
        for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
            for (let i = 0; i < size; i++) {
                const y = isUp ? size - 1 - i : i;
                for (const x of [right, right - 1]) {
                    if (!this.fixed[y][x]) {
                        this.dark[y][x] = bits[next++] === 1; /* light for what remains */
                    }
                }
            }
        }
    }

    masked(mask) {
        this.drawFormat(mask);
        return this.dark.map((row, y) =>
            row.map((isDark, x) => (this.fixed[y][x] ? isDark : isDark !== MASKS[mask](x, y))),
        );
    }
}

/* The remainder of data * x^degree by the polynomial. */
function checkBits(data, degree, polynomial) {
    let rest = data << degree;
    for (let bit = 31 - Math.clz32(rest); bit >= degree; bit--) {
        rest ^= (rest >> bit) & 1 ? polynomial << (bit - degree) : 0;
    }
    return rest;
}

/* ---- the best mask ---- */

const FINDER_LIKE = ["00001011101", "10111010000"];

/* Runs, patterns like a finder's, and squares of one colour, and too much of one colour. */
function penalty(rows) {
    const size = rows.length;
    const text = (row) => row.map((isDark) => (isDark ? "1" : "0")).join("");
    const columns = rows.map((_, x) => rows.map((row) => row[x]));
    let sum = 0;
    for (const line of [...rows, ...columns].map(text)) {
        for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) {
            sum += run.length - 2;
        }
        for (let i = 0; i + 11 <= size; i++) {
            sum += FINDER_LIKE.includes(line.slice(i, i + 11)) ? 40 : 0;
        }
    }
    for (let y = 1; y < size; y++) {
        for (let x = 1; x < size; x++) {
            const isDark = rows[y][x];
            const isSquare = rows[y - 1][x] === isDark && rows[y][x - 1] === isDark && rows[y - 1][x - 1] === isDark;
            sum += isSquare ? 3 : 0;
        }
    }
    const dark = rows.flat().filter(Boolean).length / (size * size);
    return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/* ---- for the page ---- */

/* Rows of modules, true for dark ones. */
export function qrModules(text) {
    const bytes = [...new TextEncoder().encode(text)];
    const version = versionFor(bytes);
    const code = new Code(version);
    code.drawWords(interleaved(dataWords(bytes, version), version));
    return MASKS.map((_, mask) => code.masked(mask))
        .map((rows) => ({ rows, penalty: penalty(rows) }))
        .reduce((best, other) => (other.penalty < best.penalty ? other : best)).rows;
}

/* Dark on light in every theme: not every camera reads the opposite. */
export function qrPicture(text, label) {
    const rows = qrModules(text);
    const side = rows.length + 2 * QUIET;
    const dark = rows.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
    );
    return svg(
        "svg",
        {
            class: "qr",
            viewBox: `0 0 ${side} ${side}`,
            role: "img",
            "aria-label": label,
            "shape-rendering": "crispEdges",
        },
        svg("rect", { class: "qr-light", width: side, height: side }),
        svg("path", { class: "qr-dark", d: dark.join("") }),
    );
}
