// The big screen: nothing but the board and its figures, for a class to see. The address holds whether it is on.
import { route } from './route.svelte';

class BigScreen {
  on = $state(route.query.get('big') === '1');

  toggle(): void {
    this.on = !this.on;
    apply();
  }

  /** As the address says. */
  read(): void {
    this.on = route.query.get('big') === '1';
    apply();
  }

  /** A page that has no big screen. */
  leave(): void {
    this.on = false;
    apply();
  }

  get query(): string | undefined {
    return this.on ? '1' : undefined;
  }
}

export const big = new BigScreen();

function apply(): void {
  if (big.on) document.documentElement.dataset.big = 'on';
  else delete document.documentElement.dataset.big;
}
