// Keeps the end of a growing list in view, until its reader goes elsewhere.

/** Follows a scrolling element; loop-free: it acts on what the user does and on sizes. */
export class Follower {
  following = true;
  private lastTop = 0;
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
    this.sizes = new ResizeObserver(() => this.following && this.toEnd());
    this.sizes.observe(content);
    this.sizes.observe(scroller);
    const on = (name: string, act: (event: Event) => void, target: EventTarget = scroller) =>
      target.addEventListener(name, act, { passive: true, signal: this.stop.signal });
    on('wheel', (event) => (event as WheelEvent).deltaY < 0 && this.let());
    on('touchmove', () => this.let());
    on('keydown', (event) => upKeys.has((event as KeyboardEvent).key) && this.let());
    on('pointerdown', (event) => event.target === scroller && this.let()); // its scroll bar
    on('selectionchange', () => this.onSelection(), document);
    on('scroll', () => this.onScroll());
  }

  /** Goes to the end and follows. */
  jump(): void {
    this.set(true);
    this.toEnd();
  }

  /** Lets go: what comes does not move what is read. */
  let(): void {
    if (this.scroller.scrollHeight > this.scroller.clientHeight) this.set(false);
  }

  end(): void {
    this.sizes.disconnect();
    this.stop.abort();
  }

  private toEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** Reaching the end by moving down follows again. */
  private onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const down = scrollTop > this.lastTop;
    this.lastTop = scrollTop;
    if (!this.following && down && scrollHeight - scrollTop - clientHeight < 2) this.set(true);
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

const upKeys = new Set(['PageUp', 'ArrowUp', 'Home']);
