import nx from 'nx/release/changelog-renderer';

/**
 * Nx's changelog without its pictures, and without the list of what else is released: that names packages that are used
 * for development only, and a range that changes is told by its version plan.
 */
export default class ChangelogRenderer extends nx.default {
  hasDependencyBumps() {
    return false;
  }

  renderBreakingChanges() {
    return ['### Breaking changes', '', ...new Set(this.breakingChanges)];
  }
}
