// Keeps the end of a growing list in view, until its reader goes elsewhere.

const near = 16; // pixels from the end, which a growing text moves away meanwhile
const far = 100; // pixels that no growing text moves at once

/** Follows a scrolling element; loop-free: it acts on what the user does and on sizes. */
export class Follower {
  following = true;
  private lastTop = 0;
  private held: Element | null = null; // goes to the top of the view, and no further
  private readonly sizes: ResizeObserver;
  private readonly stop = new AbortController();

  /**
   * @param scroller scrolls
   * @param content grows in it
   * @param told is called when following begins or ends
   */
  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    private readonly told: (following: boolean) => void,
  ) {
    this.sizes = new ResizeObserver(() => this.onGrown());
    this.sizes.observe(content);
    this.sizes.observe(scroller);
    const on = (name: string, act: (event: Event) => void, target: EventTarget = scroller) =>
      target.addEventListener(name, act, { passive: true, signal: this.stop.signal });
    on('wheel', (event) => (event as WheelEvent).deltaY < 0 && this.let());
    on('touchmove', () => this.let());
    on('keydown', (event) => this.onKey(event as KeyboardEvent));
    on('pointerdown', (event) => event.target === scroller && this.let()); // its scroll bar
    on('selectionchange', () => this.onSelection(), document);
    on('scroll', () => this.onScroll());
  }

  /** Goes to the end and follows. */
  jump(): void {
    this.held = null;
    this.set(true);
    this.toEnd();
  }

  /** Follows until an element is at the top of the view, and then lets go. */
  hold(element: Element | null): void {
    this.held = element;
    this.onGrown();
  }

  /** Lets go: what comes does not move what is read. */
  let(): void {
    this.held = null;
    if (this.scroller.scrollHeight > this.scroller.clientHeight) this.set(false);
  }

  end(): void {
    this.sizes.disconnect();
    this.stop.abort();
  }

  private onGrown(): void {
    if (!this.following) return;
    this.toEnd();
    if (this.held === null) return;
    const over = this.scroller.getBoundingClientRect().top - this.held.getBoundingClientRect().top;
    if (over < 0) return;
    this.scroller.scrollTop -= over;
    this.let();
  }

  private toEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop; // its event comes later, and is no move of the reader's
  }

  /** Reaching the end by moving down follows again; what is found or focused far above it lets go. */
  private onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const down = scrollTop - this.lastTop;
    this.lastTop = scrollTop;
    const left = scrollHeight - scrollTop - clientHeight;
    if (!this.following && down > 0 && left < near) this.set(true);
    else if (down < -far && left > far) this.let();
  }

  private onKey(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).closest('textarea, input, select')) return;
    if (upKeys.has(event.key)) this.let();
    if (event.key === 'End') this.jump();
  }

  private onSelection(): void {
    const selection = getSelection();
    if (selection && !selection.isCollapsed && this.scroller.contains(selection.anchorNode)) this.let();
  }

  private set(following: boolean): void {
    if (following === this.following) return;
    this.following = following;
    this.told(following);
  }
}

/** Keys that go towards the beginning. */
export const upKeys: ReadonlySet<string> = new Set(['PageUp', 'ArrowUp', 'Home']);
