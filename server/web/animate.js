/*
 * Runs the steps of a turn one after another.
 *
 * A step is a function that starts animations through `Animator.move` and the like and returns
 * their promises.  The speed can change while they run, everything can be skipped, and who wants
 * less motion sees the states without the ways between them.
 */

const REDUCED = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export class Animator {
    constructor() {
        this.speed = 1;
        this.running = new Set();
        this.isSkipping = false;
    }

    get isReduced() {
        return REDUCED?.matches ?? false;
    }

    setSpeed(speed) {
        this.speed = speed;
        for (const animation of this.running) {
            animation.playbackRate = speed;
        }
    }

    /* Steps in order; returns when the last is over or everything was skipped. */
    async run(steps) {
        this.isSkipping = false;
        for (const step of steps) {
            if (this.isSkipping) {
                break;
            }
            await Promise.all([step(this)].flat());
        }
        this.isSkipping = false;
    }

    skip() {
        this.isSkipping = true;
        for (const animation of this.running) {
            animation.finish();
        }
    }

    /* Keyframes of an element; it is as before when they end, unless `stays`. */
    async play(element, frames, duration_ms, { stays = false, easing = "ease-in-out" } = {}) {
        if (this.isSkipping || element === undefined || element === null) {
            return;
        }
        const animation = element.animate(frames, { duration: duration_ms, fill: stays ? "forwards" : "none", easing });
        animation.playbackRate = this.speed;
        this.running.add(animation);
        try {
            await animation.finished;
        } catch {
            /* the element went away */
        }
        this.running.delete(animation);
    }

    /* From one place of the picture to others, in user units. */
    travel(element, places, duration_ms) {
        const frames = places.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
        if (this.isReduced) {
            return this.play(element, [frames.at(-1), frames.at(-1)], 250, { stays: true });
        }
        return this.play(element, frames, duration_ms, { stays: true });
    }

    fade(element, duration_ms) {
        return this.play(element, [{ opacity: 1 }, { opacity: 0 }], duration_ms, { stays: true });
    }

    wait(duration_ms) {
        return this.play(document.body, [{}, {}], duration_ms);
    }
}
