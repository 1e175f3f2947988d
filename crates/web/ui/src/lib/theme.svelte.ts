// Light or dark: what the system says, unless the user chose.
import { recall, remember } from './memory';

export type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');

class Chosen {
  chosen = $state<Theme | null>(recall<Theme | null>('theme', null));
  system = $state<Theme>(system.matches ? 'dark' : 'light');

  get now(): Theme {
    return this.chosen ?? this.system;
  }

  toggle(): void {
    const other: Theme = this.now === 'dark' ? 'light' : 'dark';
    // Going back to what the system says forgets the choice, so that the page follows it again.
    this.chosen = other === this.system ? null : other;
    remember('theme', this.chosen);
    applyTheme();
  }
}

export const theme = new Chosen();

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.now;
}

system.addEventListener('change', () => {
  theme.system = system.matches ? 'dark' : 'light';
  applyTheme();
});
