/*
 * Runs the steps of a turn one after another.
 *
 * A step is a function that starts animations through `Animator.move` and the like and returns
 * their promises.  The speed can change while they run, everything can be skipped, and players who
 * prefer reduced motion see only the states.
 */

const STEP_MS = 800; /* approximate duration of a step at speed 1 */
const REDUCED = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

export class Animator {
    constructor() {
        this.speed = 1;
        this.hurry = 0; /* faster than the chosen speed, if time is short */
        this.running = new Set();
        this.isSkipping = false;
    }

    get isReduced() {
        return REDUCED?.matches ?? false;
    }

    setSpeed(speed) {
        this.speed = speed;
        this.applySpeed();
    }

    get rate() {
        return Math.max(this.speed, this.hurry);
    }

    applySpeed() {
        for (const animation of this.running) {
            animation.playbackRate = this.rate;
        }
    }

    /* Runs steps in order; returns when the last is over, everything was skipped, or after `most_ms`. */
    async run(steps, most_ms = Infinity) {
        this.isSkipping = false;
        this.hurry = (steps.length * STEP_MS) / most_ms;
        const timer = most_ms === Infinity ? null : setTimeout(() => this.skip(), most_ms);
        for (const step of steps) {
            if (this.isSkipping) {
                break;
            }
            await Promise.all([step(this)].flat());
        }
        clearTimeout(timer);
        this.isSkipping = false;
    }

    skip() {
        this.isSkipping = true;
        for (const animation of this.running) {
            animation.finish();
        }
    }

    /* Plays keyframes on an element; it is as before when they end, unless `stays`. */
    async play(element, frames, duration_ms, { stays = false, easing = "ease-in-out" } = {}) {
        if (this.isSkipping || element === undefined || element === null) {
            return;
        }
        const animation = element.animate(frames, { duration: duration_ms, fill: stays ? "forwards" : "none", easing });
        animation.playbackRate = this.rate;
        this.running.add(animation);
        try {
            await animation.finished;
        } catch {
            /* the element was removed */
        }
        this.running.delete(animation);
    }

    /* Moves from one place of the picture to others, in user units. */
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
